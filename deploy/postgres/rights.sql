-- What each role may do in the service's database, in one place. A superuser runs it in that database, which its owner has created, after
-- `tpws migrate`, and again after every upgrade, every restore, and once a role was added; whoever repeats it changes nothing:
--   psql --dbname=tpwebservices --file=rights.sql
-- The roles tpwebservices_service and tpwebservices_reports are optional: CREATE ROLE … LOGIN first, then run it.
DO $$
DECLARE
  database name := current_database();
  owner name := (SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = current_database());
  service CONSTANT name := 'tpwebservices_service';
  reports CONSTANT name := 'tpwebservices_reports';
  writer name;
  harmful regprocedure;
BEGIN
  -- Only roles that are named here connect. Temporary tables and tables of others could fill the disk, or hide the service's.
  EXECUTE format('REVOKE CONNECT, TEMPORARY ON DATABASE %I FROM PUBLIC', database);
  REVOKE CREATE ON SCHEMA public FROM PUBLIC;
  EXECUTE format('GRANT USAGE, CREATE ON SCHEMA public TO %I', owner);
  -- An ALTER TABLE that waits for somebody's open transaction gives up, instead of stopping every call behind it.
  EXECUTE format('ALTER DATABASE %I SET lock_timeout = 1000', database);
  -- Otherwise, the server's log shows the whole row that a constraint refuses, with the patient's name.
  EXECUTE format('ALTER DATABASE %I SET log_error_verbosity = terse', database);

  -- Everybody who connects could take the service's locks, and fill the disk with large objects, of which it has none, and with WAL.
  FOR harmful IN
    SELECT oid FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace
      AND proname ~ '^(pg_(try_)?advisory_|lo_|loread$|lowrite$|pg_logical_emit_message$)'
  LOOP EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', harmful); END LOOP;
  FOR writer IN SELECT rolname FROM pg_roles WHERE rolname IN (owner, service) LOOP
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', database, writer);
    EXECUTE format('GRANT EXECUTE ON FUNCTION pg_advisory_xact_lock(bigint), pg_advisory_xact_lock_shared(bigint) TO %I', writer);
  END LOOP;
  -- The upgrade of the schema takes a session's lock.
  EXECUTE format('GRANT EXECUTE ON FUNCTION pg_advisory_lock(bigint), pg_advisory_unlock(bigint) TO %I', owner);

  -- Reads and writes every table, and reads the sequences for tpws backup, but changes no row of the audit trail, and puts none between earlier ones.
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = service) THEN
    EXECUTE format('GRANT USAGE ON SCHEMA public TO %I', service);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO %I', service);
    EXECUTE format('GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO %I', service);
    IF to_regclass('public.audit_event') IS NOT NULL THEN
      EXECUTE format('REVOKE INSERT, UPDATE, DELETE ON public.audit_event FROM %I', service);
      EXECUTE format('REVOKE INSERT, UPDATE, DELETE ON public.kysely_migration, public.kysely_migration_lock FROM %I', service);
      EXECUTE (SELECT format('GRANT INSERT (%s) ON public.audit_event TO %I', string_agg(quote_ident(attname), ', '), service)
        FROM pg_attribute WHERE attrelid = 'public.audit_event'::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'id');
    END IF;
  END IF;

  -- Reads the two views without names, numbers and texts. It can lift its two timeouts, but not the limit of temporary files.
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = reports) THEN
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', database, reports);
    EXECUTE format('GRANT USAGE ON SCHEMA public TO %I', reports);
    EXECUTE format('ALTER ROLE %I CONNECTION LIMIT 3', reports);
    EXECUTE format('ALTER ROLE %I SET statement_timeout = ''5min''', reports);
    EXECUTE format('ALTER ROLE %I SET idle_in_transaction_session_timeout = ''5min''', reports);
    EXECUTE format('ALTER ROLE %I SET temp_file_limit = ''2GB''', reports);
    IF to_regclass('public.report_appointment') IS NOT NULL THEN
      EXECUTE format('GRANT SELECT ON public.report_appointment, public.report_message TO %I', reports);
    END IF;
  END IF;
END $$;
