import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration';
import type pg from 'pg';
import { SetUpError } from '../../vocabulary/errors.ts';

/** The schema that has the service's tables. It may stand behind another one in the search path, or be hidden from this role. */
const OWN_SCHEMA = `coalesce((SELECT relnamespace FROM pg_class WHERE relname = '${DEFAULT_MIGRATION_TABLE}' AND relkind = 'r'
    ORDER BY pg_table_is_visible(oid) DESC LIMIT 1), to_regnamespace(current_schema()))`;

/** Every right that the service needs: those of deploy/postgres/rights.sql. Nobody changes or deletes a row of the audit trail. */
const MISSING = `
  WITH own AS MATERIALIZED (SELECT ${OWN_SCHEMA} AS schema),
    relation AS (SELECT pg_class.* FROM pg_class, own WHERE relnamespace = own.schema)
  SELECT string_agg(needed, ', ' ORDER BY place, needed) AS rights FROM (
    SELECT 1 AS place, 'USAGE on the schema ' || schema::regnamespace AS needed, has_schema_privilege(schema, 'USAGE') AS has FROM own
    UNION ALL SELECT 2, kind || ' on ' || relname, has_table_privilege(oid, kind) OR kind = 'INSERT' AND has_any_column_privilege(oid, kind)
      FROM relation, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS kind
      WHERE relkind = 'r' AND (kind = 'SELECT' OR relname NOT LIKE 'kysely%') AND (relname <> 'audit_event' OR kind IN ('SELECT', 'INSERT'))
    UNION ALL SELECT 3, 'USAGE on ' || relname, CASE relkind WHEN 'S' THEN has_sequence_privilege(oid, 'USAGE') ELSE true END FROM relation
    UNION ALL SELECT 4, 'EXECUTE on ' || name, has_function_privilege(name, 'EXECUTE')
      FROM unnest(ARRAY['pg_advisory_xact_lock(bigint)', 'pg_advisory_xact_lock_shared(bigint)']) AS name
  ) AS right_of_role WHERE NOT has AND ($1 OR needed !~ '^(INSERT|UPDATE|DELETE|EXECUTE)|_number$|_seq$')`;

/** In words, the rights that this user lacks, to read only or for everything; undefined if it has them all. */
export async function missingRights(on: pg.Pool | pg.PoolClient, toWrite: boolean): Promise<string | undefined> {
  const { rows } = await on.query<{ rights: string | null }>(MISSING, [toWrite]);
  const rights = rows[0]?.rights ?? undefined;
  return rights && `this user lacks ${rights}; run deploy/postgres/rights.sql in the database as a superuser`;
}

/** Throws SetUpError, with a sentence about what lacks, unless this user has the rights. */
export async function requireRights(client: pg.PoolClient, description: string, toWrite: boolean): Promise<void> {
  const missing = await missingRights(client, toWrite);
  if (missing !== undefined) throw new SetUpError(`${description}: ${missing}.`);
}
