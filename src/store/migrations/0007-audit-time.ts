import { redefined, type Step } from './step.ts';

const NAME = 'audit_event_tells_time';

/** Until the last instant that a program can show. Source: ECMAScript, 21.4.1.1. */
const CHECK = 'CONSTRAINT audit_event_recorded_on CHECK (recorded_on BETWEEN 0 AND 8640000000000000)';

/**
 * On PostgreSQL, only the owner of the audit trail, who copies and restores it, says when a row was recorded: whoever has the service's password
 * could otherwise put rows between earlier ones, or beyond all time. Whoever writes to an SQLite file can drop its triggers.
 */
export const AUDIT_TIME: Step = {
  statements: (engine) =>
    engine === 'sqlite'
      ? redefined('audit_event', 'recorded_on integer NOT NULL', `recorded_on integer NOT NULL ${CHECK}`)
      : [
          // Rows that are there already stay.
          `ALTER TABLE audit_event ADD ${CHECK} NOT VALID`,
          `CREATE FUNCTION ${NAME}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NOT pg_has_role((SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE') THEN
      NEW.recorded_on := floor(extract(epoch FROM statement_timestamp()) * 1000);
    END IF;
    RETURN NEW;
  END $$`,
          `DO $$ BEGIN EXECUTE format('ALTER FUNCTION ${NAME}() SET search_path = %I, pg_temp', current_schema()); END $$`,
          `CREATE TRIGGER ${NAME} BEFORE INSERT ON audit_event FOR EACH ROW EXECUTE FUNCTION ${NAME}()`,
        ],
};
