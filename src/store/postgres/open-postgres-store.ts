import type pg from 'pg';
import { ServiceError, SetUpError } from '../../vocabulary/errors.ts';
import type { OpenOptions, PostgresLocation } from '../database-location.ts';
import { migrate } from '../migrations/migrate.ts';
import { refuseNewerSchema, requireCurrentSchema, requireNotNew, schemaState, upgradeOf } from '../schema-state.ts';
import type { Store } from '../store.ts';
import { isTimeout, isUnavailable } from './postgres-errors.ts';
import { kyselyOn, postgresPool, startPool } from './postgres-pool.ts';
import { sessionsOf } from './postgres-session.ts';
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
import { MIGRATION_LOCK } from './work-keys.ts';

/**
 * Insufficient privilege; an extension that is not installed; a search_path that names no schema. Source: PostgreSQL, appendix A, "Error
 * Codes".
 */
const MISSING_RIGHTS = ['42501', '58P01', '0A000', '3F000'];

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
  return new PostgresStore({
    description: serverDescription(server),
    pool,
    sessionOn: sessionsOf(pool, options.sharedClock),
    timeoutMs: location.timeoutMs,
  });
}

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
  await client.query(`SET lock_timeout = ${2 * location.timeoutMs}`);
  await client.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`).catch((error: unknown) => {
    if (!isTimeout(error)) throw error;
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
