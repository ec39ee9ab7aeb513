import type pg from 'pg';
import { ServiceError, SetUpError } from '../../vocabulary/errors.ts';
import { DatabaseAway } from '../database-away.ts';
import type { OpenOptions, PostgresLocation } from '../database-location.ts';
import { migrate } from '../migrate.ts';
import {
  refuseNewerSchema,
  requireCurrentSchema,
  requireNotNew,
  schemaState,
  upgradeNotices,
} from '../schema-state.ts';
import { PROCESS_CLOCK } from '../shared-clock.ts';
import type { Session } from '../statement.ts';
import type { Store } from '../store.ts';
import { cannotBeUsed, placeOf, saidBy } from './cannot-be-used.ts';
import { connectionLimit } from './connection-limit.ts';
import { postgresDifferences } from './postgres-differences.ts';
import { postgresNumbers } from './postgres-numbers.ts';
import { kyselyOn, postgresPool, startPool } from './postgres-pool.ts';
import { PostgresStore } from './postgres-store.ts';
import { requireOwnSession } from './require-own-session.ts';
import { requireRights } from './require-rights.ts';
import { requireFit, type Server, serverOf } from './server.ts';
import { SERVER_CLOCK } from './server-clock.ts';
import { takenSteps } from './taken-steps.ts';
import { MIGRATION_LOCK } from './work-locks.ts';

/**
 * The maximum number of statements that a connection keeps prepared. The service has far fewer, unless a query is rebuilt for each call.
 */
const MOST_PREPARED = 500;

/**
 * Insufficient privilege; an extension that is not installed; a search_path that names no schema. Source: PostgreSQL, appendix A, "Error
 * Codes".
 */
const MISSING_RIGHTS = ['42501', '58P01', '0A000', '3F000'];

/** Source: the same appendix. */
const LOCK_NOT_AVAILABLE = '55P03';

/** Throws DatabaseAway, ServiceError `Unavailable`, or SetUpError with a sentence for the person who set up the database. */
export async function openPostgresStore(location: PostgresLocation, options: OpenOptions = {}): Promise<Store> {
  const starting = startPool(location);
  let server: Server;
  try {
    server = await bringUpToDate(starting, location, options);
  } catch (error) {
    throw error instanceof ServiceError || error instanceof SetUpError ? error : openFailure(location, error);
  } finally {
    await starting.end();
  }
  // A commit that the server acknowledges before it is on disk may be lost. A server that also waits for standbys continues to do so.
  const synchronousCommit = server.synchronousCommit === 'off' ? 'on' : 'as it is';
  const pool = postgresPool(location, synchronousCommit);
  const db = kyselyOn(pool);
  const compiled: Session['compiled'] = new Map();
  const names = new Map<string, string>();
  const sharedClock = options.sharedClock === 'process' ? PROCESS_CLOCK : SERVER_CLOCK;
  return new PostgresStore({
    description: `PostgreSQL ${server.version} at ${server.address}, database ${server.database}`,
    pool,
    sessionOn: (on) => {
      const run = runOn(on, names);
      const first: Session['first'] = async (sql, parameters) => (await run(sql, parameters))[0];
      return { db, compiled, numbers: postgresNumbers(on), sharedClock, run, first };
    },
    timeout: location.timeout,
  });
}

/** Every SQL text is prepared under a name once per connection, because planning most of our queries costs more than running them. */
const runOn =
  (on: pg.Pool | pg.PoolClient, names: Map<string, string>): Session['run'] =>
  async (text, parameters) => {
    let name = names.get(text);
    if (name === undefined && names.size < MOST_PREPARED) {
      name = `s${names.size}`;
      names.set(text, name);
    }
    const values = parameters as unknown[];
    return (await on.query(name === undefined ? { text, values } : { name, text, values })).rows;
  };

async function bringUpToDate(
  pool: pg.Pool,
  location: PostgresLocation,
  { mustExist = false, mayCreate = true, tell }: OpenOptions,
): Promise<Server> {
  const client = await connect(pool, location);
  try {
    const server = await serverOf(client);
    requireFit(server);
    await requireOwnSession(client, pool);
    const { allowed } = connectionLimit(server);
    if (allowed < location.poolSize) tell?.({ kind: 'few-connections', allowed, wanted: location.poolSize });
    const name = `${server.database} at ${server.address}`;
    if (mustExist) {
      requireCurrentSchema(await takenSteps(client), name);
      return server;
    }
    // If many processes start at the same time, one of them creates the tables, and the others find them.
    await lockSchema(client, location, name);
    const taken = await takenSteps(client);
    if (!mayCreate) requireNotNew(taken, name);
    refuseNewerSchema(taken, name);
    // A role without the right to change tables may still use a database that its owner has brought up to date.
    if (schemaState(taken) === 'current') {
      await requireRights(client, name);
      return server;
    }
    const added = await migrate(kyselyOn(pool), postgresDifferences).catch((error: unknown) => {
      throw taken.length > 0 && isMissingRight(error) ? mayNotUpgrade(name, error) : error;
    });
    for (const notice of upgradeNotices(taken, added)) tell?.(notice);
    return server;
  } finally {
    // The lock is released when the connection ends.
    client.release(true);
  }
}

/**
 * Waits for up to twice the statement timeout, which is enough for creating a new database. If another process takes longer, the caller
 * tries again, so that the service is already listening and can report why it is not ready.
 */
async function lockSchema(client: pg.PoolClient, { timeout }: PostgresLocation, name: string): Promise<void> {
  try {
    await client.query(`SET lock_timeout = ${2 * timeout}`);
    await client.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
    throw new DatabaseAway(
      `Another process is bringing the schema of the database ${name} up to date; try again when it is done.`,
      error,
    );
  }
}

async function connect(pool: pg.Pool, location: PostgresLocation): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw cannotBeUsed(location, error);
  }
}

/**
 * Turns problems that the person who set up the database can fix into a sentence. Any other error is our fault, and is passed on unchanged.
 */
function openFailure(location: PostgresLocation, error: unknown): unknown {
  if (postgresDifferences.isUnavailable(error)) return cannotBeUsed(location, error);
  if (!isMissingRight(error)) return error;
  const words = `PostgreSQL at ${placeOf(location)} does not let the service create its tables (${saidBy(error)}); expected a user who owns the database, and the extension btree_gist of PostgreSQL's contrib package.`;
  return new ServiceError('Unavailable', words, { cause: error });
}

const isMissingRight = (error: unknown): boolean =>
  MISSING_RIGHTS.includes(String((error as { readonly code?: unknown } | undefined)?.code));

const mayNotUpgrade = (name: string, error: unknown): SetUpError =>
  new SetUpError(
    `The database ${name} is of an older version of the service, and this user may not change its tables (${saidBy(error)}); run tpws migrate as the user who owns them, then start the service again.`,
  );
