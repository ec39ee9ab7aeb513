import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { PostgresLocation } from '../database-location.ts';
import { SCHEMA_STEPS } from '../migrations/migrate.ts';
import type { Schema } from '../schema.ts';

const INT8 = 20;

/** The beginning of `application_name`; what follows is the last step of the schema that a version knows. */
export const PROGRAM = 'tpwebservices';

/** A JavaScript number can represent every count and instant that the service stores. What others stored stays exact, as a bigint. */
function readInt8(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary'
      ? readInt8
      : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};

const silent = () => {};

/** Connections for calls. None is opened before it is needed. */
export function postgresPool(location: PostgresLocation, synchronousCommit: 'as it is' | 'on'): pg.Pool {
  const { poolSize, timeoutMs } = location;
  const settings = {
    statement_timeout: timeoutMs,
    lock_timeout: timeoutMs,
    // Otherwise, a process that hangs in a transaction would keep its locks.
    idle_in_transaction_session_timeout: 2 * timeoutMs,
    ...(synchronousCommit === 'on' ? { synchronous_commit: 'on' } : {}),
  };
  return quietPool(location, settings, {
    max: poolSize,
    // The server cancels statements itself. This timeout is for a server that disappears without notice.
    query_timeout: timeoutMs + 1000,
    pipeline: true,
  });
}

/**
 * Connections for starting up: bringing the schema up to date may take any amount of time, whatever is set for the role or the database, but may
 * wait for a lock only so long (ms).
 */
export const startPool = (location: PostgresLocation, lockTimeoutMs = 0): pg.Pool =>
  quietPool(
    location,
    { statement_timeout: 0, lock_timeout: lockTimeoutMs, default_transaction_read_only: 'off' },
    { max: 2 },
  );

function quietPool(
  { url, timeoutMs }: PostgresLocation,
  settings: Readonly<Record<string, string | number>>,
  config: pg.PoolConfig & { readonly pipeline?: boolean },
) {
  const all = Object.entries({
    ...settings,
    // A custom plan has the values as constants, which auto_explain would write into the server's log, with names and phones.
    plan_cache_mode: 'force_generic_plan',
    // Definitions are created and compared without quotes that a role's setting would add.
    quote_all_identifiers: 'off',
  });
  const set = all.map(([name, value]) => `SET ${name} = ${value}`).join('; ');
  const pool = new pg.Pool({
    ...config,
    // Not set while connecting: a pooler such as PgBouncer rejects settings that it does not recognize in the startup message.
    onConnect: (client) => client.query(set),
    connectionString: asLibpq(url),
    connectionTimeoutMillis: timeoutMs,
    types,
    keepAlive: true,
    // An upgrade tells the sessions of the version before by it.
    application_name: `${PROGRAM} ${[...SCHEMA_STEPS.keys()].at(-1)}`,
  });
  // A broken connection removes itself from the pool, and its user gets the error from the query.
  pool.on('error', silent);
  pool.on('connect', (client) => client.on('error', silent));
  return pool;
}

/** node-postgres treats `sslmode=require` as `verify-full` unless this parameter makes it interpret the others as libpq does. */
const asLibpq = (url: string): string =>
  /[?&]sslmode=/.test(url) && !/[?&]uselibpqcompat=/.test(url) ? `${url}&uselibpqcompat=true` : url;

/** Builds queries for a pool's connections. Text columns that it creates are compared byte by byte. */
export const kyselyOn = (pool: pg.Pool): Kysely<Schema> =>
  new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
