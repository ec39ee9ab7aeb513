import { createHash } from 'node:crypto';

/** A lock of the database that stands for a key: a whole number of 64 bits, in digits. */
const lockOf = (key: string): bigint => createHash('sha256').update(`tpwebservices ${key}`).digest().readBigInt64BE();

/** Held by every work: shared by those that name what they touch, alone by those that don't. */
const EVERYTHING = lockOf('everything');

/** Taken by whoever brings the schema up to date. */
export const MIGRATION_LOCK = lockOf('migration');

const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE';

/**
 * The SQL text that opens the transaction of a work: it waits until no other work, of whatever process, runs with one of the keys;
 * without keys, until none runs at all. Always in the same order, so that two works never wait for each other.
 */
export function beginStatement(keys: readonly string[] | undefined): string {
  if (keys === undefined) return `${BEGIN}; SELECT pg_advisory_xact_lock(${EVERYTHING})`;
  const locks = [...new Set(keys.map(lockOf))].sort((a, b) => (a < b ? -1 : 1));
  const calls = locks.map((lock) => `pg_advisory_xact_lock(${lock})`);
  return `${BEGIN}; SELECT ${[`pg_advisory_xact_lock_shared(${EVERYTHING})`, ...calls].join(', ')}`;
}
