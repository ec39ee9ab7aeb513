import { createHash, createHmac } from 'node:crypto';
import type pg from 'pg';
import { ServiceError } from '../../vocabulary/errors.ts';
import { inTime } from '../../vocabulary/in-time.ts';
import { quoted } from '../../vocabulary/text.ts';

/** The key that all units of work share, and that one without keys holds alone. */
const EVERYTHING = 'everything';

/** Held while the schema is brought up to date: a 64-bit integer, which is the same in every database. */
export const MIGRATION_LOCK = createHash('sha256').update('tpwebservices migration').digest().readBigInt64BE();

const SECRET = 'lock-secret';

/**
 * The database locks that represent the keys of a unit of work. Keys contain names and phone numbers, and every role of the server sees which
 * locks are held. So their ids follow from a secret of this database, and are parameters, which PostgreSQL shows to nobody.
 */
export class WorkLocks {
  readonly #pool: pg.Pool;
  #secret: Promise<string> | undefined;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** The first unit of work in a database creates it. A database that was filled by `tpws copy` has none until then. */
  secret(): Promise<string> {
    this.#secret ??= this.#readSecret().catch((error) => {
      this.#secret = undefined;
      throw error;
    });
    return this.#secret;
  }

  async #readSecret(): Promise<string> {
    const read = async () =>
      (await this.#pool.query<{ value: string }>('SELECT value FROM service_fact WHERE name = $1', [SECRET])).rows[0];
    const there = await read();
    if (there !== undefined) return there.value;
    await this.#pool.query(`BEGIN READ WRITE;
      INSERT INTO service_fact VALUES ('${SECRET}', gen_random_uuid() || gen_random_uuid()::text) ON CONFLICT DO NOTHING;
      COMMIT`);
    return (await read())?.value ?? this.#readSecret();
  }

  /**
   * Begins the transaction of a unit of work. It waits until no other unit of work, of any process, is running with one of the keys; without
   * keys, until none is running at all. The order is always the same, so that no two of them wait for each other. Resolves with the number of
   * the server's process. The queries of the work may be sent behind it at once.
   */
  async begin(client: pg.PoolClient, secret: string, keys: readonly string[] | undefined): Promise<number> {
    const [everything, ...others] = locksOf(secret, keys);
    const share = keys === undefined ? '' : '_shared';
    const calls = others.map((_, index) => `, pg_advisory_xact_lock($${index + 2})`).join('');
    const begun = client.query('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE');
    const locked = client.query<{ pid: number }>({
      name: `begin${share}${others.length}`,
      text: `SELECT pg_backend_pid() AS pid, pg_advisory_xact_lock${share}($1)${calls}`,
      values: [everything, ...others].map(String),
    });
    const [, { rows }] = await Promise.all([begun, locked]);
    return rows[0]?.pid ?? 0;
  }

  /**
   * The session that keeps a unit of work with these keys from its locks, after the transaction that waited for them has failed; undefined if
   * it is gone.
   */
  async holder(client: pg.PoolClient, secret: string, keys: readonly string[] | undefined) {
    await client.query('ROLLBACK');
    return advisoryLockHolder(client, locksOf(secret, keys), keys === undefined);
  }
}

/** First that of everything, then those of the keys in ascending order, each once. */
export function locksOf(secret: string, keys: readonly string[] = []): readonly bigint[] {
  const lockOf = (key: string) => createHmac('sha256', secret).update(key).digest().readBigInt64BE();
  return [lockOf(EVERYTHING), ...[...new Set(keys.map(lockOf))].sort((a, b) => (a < b ? -1 : 1))];
}

/** Who holds one of these locks; `orShared` also finds a session that shares one of them. */
export const advisoryLockHolder = (client: pg.PoolClient, locks: readonly bigint[], orShared: boolean) =>
  sessionWith(
    client,
    `locktype = 'advisory' AND (classid::bigint << 32 | objid::bigint) = ANY ($1) AND (mode = 'ExclusiveLock' OR $2)`,
    [locks.map(String), orShared],
  );

/** The session that has used any of the service's tables for longest, in a transaction that has not ended; undefined if there is none. */
export const tableHolder = (client: pg.PoolClient) =>
  sessionWith(
    client,
    `relation IN (SELECT oid FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r')`,
  );

/** Only this user's own and, to a superuser, other sessions show more than their role and program. */
async function sessionWith(client: pg.PoolClient, lock: string, values: unknown[] = []): Promise<string | undefined> {
  const { rows } = await client.query<{ pid: number; role: string; program: string; state: string | null }>(
    `SELECT pid, usename AS role, application_name AS program, state FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE ${lock} AND granted AND pid <> pg_backend_pid()
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) ORDER BY xact_start LIMIT 1`,
    values,
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const idle = row.state?.startsWith('idle in transaction') ? ', idle in a transaction' : '';
  return `role ${quoted(row.role)}, program ${quoted(row.program)}, process ${row.pid}${idle}`;
}

/**
 * Runs units of work of one process one after another if they would wait for each other in the database: there, each waiting one would
 * occupy a connection that others need. First come, first served.
 */
export class WorkQueue {
  readonly #limitMs: number;
  /** Per key: the end of the last unit of work that names it. */
  readonly #last = new Map<string, Promise<void>>();
  /** The ends of all units of work that are running or waiting. */
  readonly #ends = new Set<Promise<void>>();
  /** The end of the last unit of work that names no keys. */
  #lastAlone: Promise<void> | undefined;

  /** `limitMs`: how long a unit of work waits before it throws ServiceError `Unavailable`. */
  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** Runs `work` after all earlier units of work that share a key. Without keys it runs alone. */
  async run<T>(keys: readonly string[] | undefined, work: () => Promise<T>): Promise<T> {
    const before =
      keys === undefined
        ? [...this.#ends]
        : [this.#lastAlone, ...keys.map((key) => this.#last.get(key))].filter((end) => end !== undefined);
    const earlier = before.length === 0 ? undefined : Promise.all(before);
    const { promise: end, resolve: finish } = Promise.withResolvers<void>();
    this.#ends.add(end);
    if (keys === undefined) this.#lastAlone = end;
    for (const key of keys ?? []) this.#last.set(key, end);
    try {
      if (earlier !== undefined && (await inTime(earlier, this.#limitMs)) === undefined) {
        throw new ServiceError('Unavailable', undefined, { reason: 'timeout of earlier calls' });
      }
      return await work();
    } finally {
      const leave = () => {
        finish();
        this.#ends.delete(end);
        if (this.#lastAlone === end) this.#lastAlone = undefined;
        for (const key of keys ?? []) if (this.#last.get(key) === end) this.#last.delete(key);
      };
      // A unit of work that gave up still separates those before it from those after it.
      if (earlier === undefined) leave();
      else earlier.then(leave);
    }
  }
}
