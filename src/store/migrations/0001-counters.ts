import type { Engine } from './0001-tables.ts';

/*
 * What the databases count and keep by themselves: the numbers of appointments, the version of the reference data, and the audit trail.
 * AppointmentIDs are counted across all centers, and never below a number that was imported.
 */

const COUNTED_TABLES = ['center', 'doctor', 'opening_hours', 'doctor_leave'];

/** Triggers that count changes to a table as changes to the reference data. */
export const countChanges = (table: string, engine: Engine): readonly string[] =>
  engine === 'sqlite'
    ? ['INSERT', 'UPDATE', 'DELETE'].map(
        (event) => `CREATE TRIGGER ${table}_counts_${event.toLowerCase()} AFTER ${event} ON ${table}
  BEGIN UPDATE reference_version SET version = version + 1; END`,
      )
    : [
        `CREATE TRIGGER ${table}_counts_changes AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${table}
  EXECUTE FUNCTION count_reference_change()`,
      ];

/**
 * Audit rows never change, and only those older than an instant may be deleted that the deleting transaction has written to `service_fact`.
 * It removes the fact before it ends, so that no other transaction ever sees it. The proof that a person's data was erased stays.
 */
const IS_FORGOTTEN =
  "SELECT 1 FROM service_fact WHERE name = 'forget-audit' AND OLD.recorded_on < CAST(value AS bigint) AND OLD.operation IS DISTINCT FROM 'Erase'";

const refusal = (event: string, condition: string): string =>
  `CREATE TRIGGER audit_event_refuses_${event.toLowerCase()} BEFORE ${event} ON audit_event ${condition}
  BEGIN SELECT RAISE(ABORT, 'audit_event is append-only'); END`;

export const SQLITE_COUNTERS: readonly string[] = [
  'CREATE TABLE appointment_number (id integer NOT NULL PRIMARY KEY CHECK (id = 1), last_id integer NOT NULL) STRICT',
  'INSERT INTO appointment_number VALUES (1, 0)',
  `CREATE TRIGGER appointment_counts_number AFTER INSERT ON appointment
  WHEN NEW.id > (SELECT last_id FROM appointment_number) BEGIN UPDATE appointment_number SET last_id = NEW.id; END`,
  ...COUNTED_TABLES.flatMap((table) => countChanges(table, 'sqlite')),
  refusal('UPDATE', ''),
  refusal('DELETE', `WHEN NOT EXISTS (${IS_FORGOTTEN})`),
  // REPLACE deletes conflicting rows without firing the delete triggers, unless the connection has recursive_triggers on. In this trigger,
  // a row whose id is to be generated has no id yet; it reads as -1.
  refusal('INSERT', 'WHEN NEW.id > 0 AND EXISTS (SELECT 1 FROM audit_event WHERE id = NEW.id)'),
];

const triggerFunction = (name: string, body: string): string =>
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} END $$`;

const REFUSED = "RAISE EXCEPTION 'audit_event is append-only';";

export const POSTGRES_COUNTERS: readonly string[] = [
  'CREATE SEQUENCE appointment_number AS integer OWNED BY appointment.id',
  triggerFunction('count_reference_change', 'UPDATE reference_version SET version = version + 1; RETURN NULL;'),
  ...COUNTED_TABLES.flatMap((table) => countChanges(table, 'postgres')),
  triggerFunction('audit_event_refuses_change', REFUSED),
  triggerFunction('audit_event_refuses_deletion', `IF EXISTS (${IS_FORGOTTEN}) THEN RETURN OLD; END IF; ${REFUSED}`),
  `CREATE TRIGGER audit_event_refuses_update BEFORE UPDATE ON audit_event
  FOR EACH ROW EXECUTE FUNCTION audit_event_refuses_change()`,
  'CREATE TRIGGER audit_event_refuses_truncate BEFORE TRUNCATE ON audit_event EXECUTE FUNCTION audit_event_refuses_change()',
  `CREATE TRIGGER audit_event_refuses_delete BEFORE DELETE ON audit_event
  FOR EACH ROW EXECUTE FUNCTION audit_event_refuses_deletion()`,
];
