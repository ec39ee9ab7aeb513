import pg from 'pg';
import { PATIENT_OVERLAP, SEAT_TAKEN } from '../migrations/0001-guards.ts';

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

/** A lock was not released in time, or a statement did not end in time, which includes waiting for a lock. Source: the same appendix. */
const TIMEOUTS = ['55P03', '57014'];

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

/** True if PostgreSQL ended a statement because it took too long. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && TIMEOUTS.includes(error.code ?? '');

const RERUNNABLE = ['40001', '40P01'];

/** True if PostgreSQL ended a transaction because of another one, so that the same unit of work may succeed the next time. */
export const isRerunnable = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && RERUNNABLE.includes(error.code ?? '');

/** Which guard raised an error, if any did. */
export function conflictOf(error: unknown): 'seat-taken' | 'patient-overlap' | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  if (error.constraint === SEAT_TAKEN) return 'seat-taken';
  if (error.constraint === PATIENT_OVERLAP) return 'patient-overlap';
  return undefined;
}

/** The database was busy or unreachable, so the call may be retried. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isOutdatedConnection(error)) return true;
  const code = (error as { readonly code?: unknown }).code;
  if (error instanceof pg.DatabaseError) return UNAVAILABLE_STATES.some((state) => String(code).startsWith(state));
  return typeof code === 'string' ? UNAVAILABLE_ERRNOS.test(code) : UNAVAILABLE_WORDS.test(error.message);
}
