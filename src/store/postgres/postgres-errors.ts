import pg from 'pg';
import { SEAT_TAKEN } from '../migrations/0001-guards.ts';
import { USED_UP } from '../queries/take-numbers.ts';

/** Why a session's prepared statements are gone, or are somebody else's. */
export const LENT = 'a pooler such as PgBouncer lends its connections for one transaction each';

/** The C library's words for ENOSPC, EDQUOT and EFBIG. PostgreSQL has a code of its own only for the first. */
export const DISK_FULL = /No space left on device|Disk quota exceeded|File too large/;

/** The beginnings of codes, with their meaning. Two characters are a class of codes. Source: PostgreSQL, appendix A, "Error Codes". */
const UNAVAILABLE_STATES = Object.entries({
  '08': 'connection lost',
  53000: 'insufficient resources',
  53100: 'disk full',
  53200: 'out of memory',
  53300: 'too many connections',
  53400: 'a limit of the server is exceeded',
  '57P': 'the server stops or starts, or ended the connection',
  57014: 'timeout of a statement',
  '55P03': 'timeout of a lock',
  '25P03': 'idle in a transaction for too long',
  28: 'the server refuses the role or its password',
  '3D000': 'no such database',
  26000: LENT,
  '42P05': LENT,
  40001: 'serialization failure',
  '40P01': 'deadlock',
  '2200H': USED_UP,
  58030: "the server's disk failed",
});

/** A lock was not released in time, or a statement did not end in time, which includes waiting for a lock. Source: the same appendix. */
const TIMEOUTS = ['55P03', '57014'];

/** Source: Node.js, "Common system errors". */
const UNAVAILABLE_ERRNOS =
  /^(?:ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|E(?:HOST|NET)UNREACH|ENOENT|EACCES)$/;

/** node-postgres and Kysely report connection errors without a code. */
const UNAVAILABLE_WORDS =
  /^(?:Connection terminated|Postgres connection has been discarded|timeout exceeded when trying to connect|Query read timeout|Client (?:has encountered|was closed)|Cannot use a pool after)/;

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

/**
 * True if PostgreSQL ended a transaction because of another one, so that the same unit of work may succeed the next time. One that another
 * program's row kept from a seat finds that row at its first rerun, which may even be this same booking.
 */
export const isRerunnable = (error: unknown, reruns: number): boolean =>
  error instanceof pg.DatabaseError &&
  (RERUNNABLE.includes(error.code ?? '') || (error.constraint === SEAT_TAKEN && reruns === 0));

/** In words for the log, how the database was busy or unreachable, so that the call may be retried; undefined if it was neither. */
export function unavailableReason(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (isOutdatedConnection(error)) return 'the connection leads to a standby, or to a former primary';
  const { code } = error as { readonly code?: unknown };
  if (error instanceof pg.DatabaseError) {
    if (DISK_FULL.test(error.message)) return 'disk full';
    return UNAVAILABLE_STATES.find(([beginning]) => String(code).startsWith(beginning))?.[1];
  }
  if (typeof code !== 'string') return UNAVAILABLE_WORDS.exec(error.message)?.[0];
  return UNAVAILABLE_ERRNOS.test(code) ? `no connection (${code})` : undefined;
}
