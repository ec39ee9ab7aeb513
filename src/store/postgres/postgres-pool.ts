import pg from 'pg';

/** A PostgreSQL database and how to use it. */
export interface PostgresLocation {
  readonly kind: 'postgres';
  /** postgres://USER:PASSWORD@HOST:PORT/DATABASE, with libpq's parameters behind a question mark. */
  readonly url: string;
  /** Connections at most. */
  readonly poolSize: number;
  /** How long a connection, a lock or a statement may take, in milliseconds. */
  readonly timeout: number;
}

const INT8 = 20;

/** Counts and instants in ms have 64 bits in the database; a number holds all that the service writes there. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary'
      ? Number
      : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};

const silent = () => {};

/** node-postgres takes `sslmode=require` for `verify-full` unless told to read the parameters as libpq does. */
const asLibpq = (url: string): string =>
  /[?&]sslmode=/.test(url) && !/[?&]uselibpqcompat=/.test(url) ? `${url}&uselibpqcompat=true` : url;

export interface CallSettings {
  /** Sets `synchronous_commit`, where the server has it off. */
  readonly synchronousCommit: 'as it is' | 'on';
}

/** Connections for calls; none is made before it is needed. */
export function postgresPool(
  { url, poolSize, timeout }: PostgresLocation,
  { synchronousCommit }: CallSettings,
): pg.Pool {
  const settings = {
    statement_timeout: timeout,
    lock_timeout: timeout,
    // A process that hangs in a transaction holds its locks.
    idle_in_transaction_session_timeout: 2 * timeout,
    ...(synchronousCommit === 'on' ? { synchronous_commit: 'on' } : {}),
  };
  // Not when connecting: a pool between, such as PgBouncer, refuses settings there that it doesn't know.
  const set = Object.entries(settings).map(([name, value]) => `SET ${name} = ${value}`);
  return quietPool({
    connectionString: asLibpq(url),
    max: poolSize,
    connectionTimeoutMillis: timeout,
    // The server ends its statements itself; this is for a server that is gone without a word.
    query_timeout: timeout + 1000,
    pipeline: true,
    onConnect: (client) => client.query(set.join('; ')),
  });
}

/** Connections for starting: bringing the schema up to date may take as long as it takes. */
export const startPool = ({ url, timeout }: PostgresLocation): pg.Pool =>
  quietPool({ connectionString: asLibpq(url), max: 2, connectionTimeoutMillis: timeout });

function quietPool(config: pg.PoolConfig & { readonly pipeline?: boolean }): pg.Pool {
  const pool = new pg.Pool({
    ...config,
    types,
    keepAlive: true,
    application_name: 'tpwebservices',
  });
  // A connection that breaks leaves the pool by itself, and whoever uses it is told by its query.
  pool.on('error', silent);
  pool.on('connect', (client) => client.on('error', silent));
  return pool;
}
