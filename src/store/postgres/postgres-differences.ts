import { sql } from 'kysely';
import pg from 'pg';
import type { DatabaseDifferences, DeletionWindow } from '../database-differences.ts';
import { functionOf } from './function-of.ts';
import { guardAppointments, PATIENT_OVERLAP, SEAT_TAKEN } from './guard-appointments.ts';
import { guardOverlaps } from './guard-overlaps.ts';

/**
 * Entries of two characters are classes of codes, the others are whole codes or prefixes. Source: PostgreSQL, appendix A, "Error Codes".
 */
const UNAVAILABLE_STATES = [
  '08', // connection exceptions
  '53', // insufficient resources: disk full, out of memory, too many connections
  '57P', // the server is stopping or starting, or was told to end the connection
  '57014', // statement timeout
  '55P03', // lock timeout
  '25P03', // idle in a transaction for too long
  '25006', // read-only: a standby, or a former primary
  '28', // the password was changed
  '3D000', // the database does not exist at the moment
  '40001', // serialization failure
  '40P01', // deadlock
  '58030', // the server's disk failed
];

/** Source: Node.js, "Common system errors". */
const UNAVAILABLE_ERRNOS =
  /^(?:ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|E(?:HOST|NET)UNREACH|ENOENT|EACCES)$/;

/** node-postgres reports connection errors without a code. */
const UNAVAILABLE_WORDS =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client (?:has encountered|was closed)|Cannot use a pool after)/;

/**
 * Server functions that fail because of the state of this connection, all with the same code: a standby that is asked for a transaction
 * that writes, and a statement that was prepared before its table was changed. They are recognized by these names from PostgreSQL's source,
 * because the messages are translated.
 */
const OUTDATED_ROUTINES = ['call_bool_check_hook', 'RevalidateCachedQuery'];
const NOT_SUPPORTED = '0A000';
const READ_ONLY = '25006';

/** True if the same unit of work may succeed on a new connection, because the address may lead to another server by then. */
export const isOutdatedConnection = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  (error.code === READ_ONLY || (error.code === NOT_SUPPORTED && OUTDATED_ROUTINES.includes(error.routine ?? '')));

const RERUNNABLE = ['40001', '40P01'];

/** True if PostgreSQL ended a transaction because of another one, so that the same unit of work may succeed the next time. */
export const isRerunnable = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && RERUNNABLE.includes(error.code ?? '');

const exceptInWindow = ({ age, mark }: DeletionWindow) =>
  `IF EXISTS (SELECT 1 FROM service_mark WHERE name = '${mark}' AND OLD.${age} < value::bigint) THEN RETURN OLD; END IF;`;

export const postgresDifferences: DatabaseDifferences = {
  endTable: (table) => table,
  lockTable: async (db, table) => {
    await sql.raw(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`).execute(db);
  },
  countedKey: (column) => column.generatedAlwaysAsIdentity().primaryKey().notNull(),
  instant: 'bigint',
  wallMinute: 'bigint',
  guardAppointments,
  guardOverlaps,
  numberAppointments: async (db, last) => {
    await sql.raw(`CREATE SEQUENCE appointment_number START ${last + 1} OWNED BY appointment.id`).execute(db);
    await sql
      .raw("CREATE VIEW next_appointment_id AS SELECT nextval('appointment_number')::integer AS next_id")
      .execute(db);
  },
  lastCounted: async (db, table) => {
    const { rows } = await sql<{ last: string | null }>`
      SELECT pg_sequence_last_value(pg_get_serial_sequence(${table}, 'id')::regclass) AS last`.execute(db);
    return Number(rows[0]?.last ?? 0);
  },
  countChanges: async (db, tables) => {
    const name = 'count_reference_change';
    await sql.raw(functionOf(name, 'UPDATE reference_version SET version = version + 1; RETURN NULL;')).execute(db);
    for (const table of tables) {
      const trigger = `CREATE TRIGGER ${table}_counts_changes AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${table}
        EXECUTE FUNCTION ${name}()`;
      await sql.raw(trigger).execute(db);
    }
  },
  makeAppendOnly: async (db, table, window) => {
    const refuse = `RAISE EXCEPTION '${table} is append-only';`;
    const statements = [
      functionOf(`${table}_refuses_change`, refuse),
      functionOf(`${table}_refuses_deletion`, (window === undefined ? '' : exceptInWindow(window)) + refuse),
      `CREATE TRIGGER ${table}_refuses_update BEFORE UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION ${table}_refuses_change()`,
      `CREATE TRIGGER ${table}_refuses_truncate BEFORE TRUNCATE ON ${table} EXECUTE FUNCTION ${table}_refuses_change()`,
      `CREATE TRIGGER ${table}_refuses_delete BEFORE DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION ${table}_refuses_deletion()`,
    ];
    for (const text of statements) await sql.raw(text).execute(db);
  },
  // In PostgreSQL, replacing a row is an update, which the update trigger refuses.
  refuseReplacing: async () => {},
  // In PostgreSQL, checking against a list costs nothing, and changing the check would lock the table.
  cheapenChecks: async () => {},
  conflictOf: (error) => {
    if (!(error instanceof pg.DatabaseError)) return undefined;
    if (error.constraint === SEAT_TAKEN) return 'seat-taken';
    if (error.constraint === PATIENT_OVERLAP) return 'patient-overlap';
    return undefined;
  },
  isUnavailable: (error) => {
    if (!(error instanceof Error)) return false;
    if (isOutdatedConnection(error)) return true;
    const code = (error as { readonly code?: unknown }).code;
    if (error instanceof pg.DatabaseError) return UNAVAILABLE_STATES.some((state) => String(code).startsWith(state));
    return typeof code === 'string' ? UNAVAILABLE_ERRNOS.test(code) : UNAVAILABLE_WORDS.test(error.message);
  },
};
