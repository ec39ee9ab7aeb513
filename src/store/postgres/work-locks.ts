import { createHash } from 'node:crypto';

/** The database lock that represents a key: a 64-bit integer, in digits. */
const lockOf = (key: string): bigint => createHash('sha256').update(`tpwebservices ${key}`).digest().readBigInt64BE();

/** Held by every unit of work: shared if it names its keys, exclusively if it doesn't. */
const EVERYTHING = lockOf('everything');

/** Held while the schema is brought up to date. */
export const MIGRATION_LOCK = lockOf('migration');

const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE';

/**
 * The SQL text that begins the transaction of a unit of work. It waits until no other unit of work, of any process, is running with one of
 * the keys; without keys, until none is running at all. The order is always the same, so that no two of them wait for each other.
 */
export function beginStatement(keys: readonly string[] | undefined): string {
  if (keys === undefined) return `${BEGIN}; SELECT pg_advisory_xact_lock(${EVERYTHING})`;
  const locks = [...new Set(keys.map(lockOf))].sort((a, b) => (a < b ? -1 : 1));
  const calls = locks.map((lock) => `pg_advisory_xact_lock(${lock})`);
  return `${BEGIN}; SELECT ${[`pg_advisory_xact_lock_shared(${EVERYTHING})`, ...calls].join(', ')}`;
}
