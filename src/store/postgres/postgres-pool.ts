import pg from 'pg';
import { asLibpq } from './as-libpq.ts';
import { hostUrls, namesWritingHost } from './host-urls.ts';
import { MovingConnections } from './moving-connections.ts';
import { mayPass } from './postgres-differences.ts';
import { requireWriting, writingClient } from './writing-client.ts';
import { addressOf, type Host, WritingHost } from './writing-host.ts';

/** A PostgreSQL database and how to use it. */
export interface PostgresLocation {
  readonly kind: 'postgres';
  /**
   * postgres://USER:PASSWORD@HOST:PORT/DATABASE, with libpq's parameters after a question mark; several hosts, separated by commas, are
   * servers of one cluster, of which one accepts writes.
   */
  readonly url: string;
  /** The maximum number of connections. */
  readonly poolSize: number;
  /** How long a connection, a lock or a statement may take, in milliseconds. */
  readonly timeout: number;
}

const INT8 = 20;

/** Counts and instants in ms have 64 bits in the database. A JavaScript number can represent every value that the service stores there. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary'
      ? Number
      : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};

const silent = () => {};

export interface CallSettings {
  /** `on` sets `synchronous_commit` to on. */
  readonly synchronousCommit: 'as it is' | 'on';
  /** Called with the address when a different host begins to accept writes. */
  readonly onMove: ((address: string) => void) | undefined;
}

/** Connections for calls. None is opened before it is needed. */
export function postgresPool(location: PostgresLocation, { synchronousCommit, onMove }: CallSettings): pg.Pool {
  const { poolSize, timeout } = location;
  const settings = {
    statement_timeout: timeout,
    lock_timeout: timeout,
    // Otherwise, a process that hangs in a transaction would keep its locks.
    idle_in_transaction_session_timeout: 2 * timeout,
    ...(synchronousCommit === 'on' ? { synchronous_commit: 'on' } : {}),
  };
  // Not set while connecting: a pooler such as PgBouncer rejects settings that it does not recognize in the startup message.
  const set = Object.entries(settings).map(([name, value]) => `SET ${name} = ${value}`);
  return quietPool(location, onMove, {
    max: poolSize,
    // The server cancels statements itself. This timeout is for a server that disappears without notice.
    query_timeout: timeout + 1000,
    pipeline: true,
    onConnect: (client) => client.query(set.join('; ')),
  });
}

/** Connections for starting up: bringing the schema up to date may take any amount of time. */
export const startPool = (location: PostgresLocation): pg.Pool => quietPool(location, undefined, { max: 2 });

function quietPool(
  { url, timeout }: PostgresLocation,
  onMove: CallSettings['onMove'],
  config: pg.PoolConfig & { readonly pipeline?: boolean },
): pg.Pool {
  const urls = hostUrls(url);
  const led = namesWritingHost(url) ? ledTo(urls, timeout, onMove, config) : undefined;
  const pool = new pg.Pool({
    ...config,
    ...led?.config,
    connectionString: asLibpq(urls[0] ?? url),
    connectionTimeoutMillis: timeout,
    types,
    keepAlive: true,
    application_name: 'tpwebservices',
  });
  // A broken connection removes itself from the pool, and its user gets the error from the query.
  pool.on('error', silent);
  pool.on('connect', (client) => client.on('error', silent));
  led?.follow(pool);
  return pool;
}

/**
 * The address of the server that accepts writes, for PostgreSQL's programs. If two servers accept writes, those programs would use the
 * first.
 */
export const writingUrl = async ({ url, timeout }: PostgresLocation): Promise<string> =>
  namesWritingHost(url) ? (await writingHost(hostUrls(url), timeout).find()).url : url;

const writingHost = (urls: readonly string[], timeout: number, onMove?: (host: Host) => void) =>
  new WritingHost({
    urls,
    // The search must also fit into the time that a connection may take.
    limit: timeout / 2,
    isFinal: (error) => error !== undefined && !mayPass(error),
    ...(onMove && { onMove }),
  });

/** Makes a pool connect to the host that accepts writes. */
function ledTo(
  urls: readonly string[],
  timeout: number,
  onMove: CallSettings['onMove'],
  { onConnect }: pg.PoolConfig,
): { readonly config: pg.PoolConfig; readonly follow: (pool: pg.Pool) => void } {
  const connections = new MovingConnections();
  const writing = writingHost(urls, timeout, (host) => {
    connections.cutAllBut(host);
    onMove?.(addressOf(host));
  });
  return {
    config: {
      Client: writingClient(writing),
      onConnect: async (client) => {
        await onConnect?.(client);
        await requireWriting(client, writing);
      },
    },
    follow: (pool) => connections.follow(pool, writing),
  };
}
