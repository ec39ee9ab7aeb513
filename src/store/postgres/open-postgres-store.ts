import type pg from 'pg';
import { ServiceError, SetUpError } from '../../vocabulary/errors.ts';
import type { OpenOptions, PostgresLocation } from '../database-location.ts';
import { migrate } from '../migrate.ts';
import { refuseNewerSchema, requireCurrentSchema, requireNotNew, schemaState, upgradeOf } from '../schema-state.ts';
import { PROCESS_CLOCK } from '../shared-clock.ts';
import type { Session } from '../statement.ts';
import type { Store } from '../store.ts';
import { isUnavailable } from './postgres-errors.ts';
import { postgresNumbers } from './postgres-numbers.ts';
import { kyselyOn, postgresPool, startPool } from './postgres-pool.ts';
import { PostgresStore } from './postgres-store.ts';
import {
  cannotBeUsed,
  connectTo,
  placeOf,
  reasonOf,
  requireFit,
  type Server,
  serverDescription,
  serverOf,
  takenSteps,
} from './server.ts';
import { SERVER_CLOCK } from './server-clock.ts';
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

/** Throws ServiceError `Unavailable`, or SetUpError, with a sentence for the person who set up the database. */
export async function openPostgresStore(location: PostgresLocation, options: OpenOptions = {}): Promise<Store> {
  const starting = startPool(location);
  let server: Server;
  try {
    server = await bringUpToDate(starting, location, options);
  } catch (error) {
    throw isUnavailable(error) ? cannotBeUsed(location, error) : error;
  } finally {
    await starting.end();
  }
  // A commit that the server acknowledges before it is on disk may be lost. A server that also waits for standbys continues to do so.
  const pool = postgresPool(location, server.synchronousCommit === 'off' ? 'on' : 'as it is');
  const db = kyselyOn(pool);
  const compiled: Session['compiled'] = new Map();
  const names = new Map<string, string>();
  const sharedClock = options.sharedClock === 'process' ? PROCESS_CLOCK : SERVER_CLOCK;
  return new PostgresStore({
    description: serverDescription(server),
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
  { mustExist = false, mayCreate = true, onUpgrade }: OpenOptions,
): Promise<Server> {
  const client = await connectTo(pool, location);
  try {
    const server = await serverOf(client);
    requireFit(server);
    const name = `${server.database} at ${server.address}`;
    if (mustExist) {
      requireCurrentSchema(await takenSteps(client), name);
      return server;
    }
    // If many processes start at the same time, one of them creates the tables, and the others find them.
    await lockSchema(client, location);
    const taken = await takenSteps(client);
    if (!mayCreate) requireNotNew(taken, name);
    refuseNewerSchema(taken, name);
    // A role without the right to change tables may still use a database that its owner has brought up to date.
    if (schemaState(taken) === 'current') return server;
    const added = await migrate(kyselyOn(pool), 'postgres').catch((error: unknown) => {
      throw isMissingRight(error) ? mayNotMigrate(location, taken.length > 0, error) : error;
    });
    const upgrade = upgradeOf(taken, added);
    if (upgrade !== undefined) onUpgrade?.(upgrade);
    return server;
  } finally {
    // The lock is released when the connection ends.
    client.release(true);
  }
}

/** Waits for up to twice the statement timeout, which is enough for creating a new database. */
async function lockSchema(client: pg.PoolClient, location: PostgresLocation): Promise<void> {
  await client.query(`SET lock_timeout = ${2 * location.timeout}`);
  await client.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`).catch((error: unknown) => {
    if ((error as { readonly code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
    throw new ServiceError(
      'Unavailable',
      `Another process is bringing the schema of the database ${placeOf(location)} up to date; start again when it is done.`,
      { cause: error },
    );
  });
}

const isMissingRight = (error: unknown): boolean =>
  MISSING_RIGHTS.includes(String((error as { readonly code?: unknown } | undefined)?.code));

const mayNotMigrate = (location: PostgresLocation, isUpgrade: boolean, error: unknown): SetUpError =>
  new SetUpError(
    isUpgrade
      ? `The database ${placeOf(location)} is of an older version of the service, and this user may not change its tables (${reasonOf(error)}); run tpws migrate as the user who owns them, then start the service again.`
      : `PostgreSQL at ${placeOf(location)} does not let the service create its tables (${reasonOf(error)}); expected a user who owns the database, and the extension btree_gist of PostgreSQL's contrib package.`,
  );
