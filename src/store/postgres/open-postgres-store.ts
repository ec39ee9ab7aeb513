import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { ServiceError, SetUpError } from '../../vocabulary/errors.ts';
import type { OpenOptions, PostgresLocation } from '../database-location.ts';
import { migrate } from '../migrations/migrate.ts';
import { needsUpgrade, requireCurrentSchema, requireNotNew, upgrade } from '../schema-state.ts';
import type { Store } from '../store.ts';
import { isTimeout, unavailableReason } from './postgres-errors.ts';
import { kyselyOn, PROGRAM, postgresPool, startPool } from './postgres-pool.ts';
import { sessionsOf } from './postgres-session.ts';
import { PostgresStore } from './postgres-store.ts';
import { requireRights } from './rights.ts';
import {
  cannotBeUsed,
  connectTo,
  placeOf,
  reasonOf,
  requireFit,
  type Server,
  serverDescription,
  serverOf,
  sessionFlaw,
  takenSteps,
} from './server.ts';
import { ServerClock } from './server-clock.ts';
import { advisoryLockHolder, MIGRATION_LOCK, tableHolder } from './work-keys.ts';

/** How often the upgrade of a schema is tried while another session uses the tables. */
const MOST_ATTEMPTS = 20;

/** Longest time that it waits for a table, ms: the calls of a running service wait behind it. */
const LONGEST_WAIT_MS = 1000;

/**
 * Insufficient privilege; an extension that is not installed; a search_path that names no schema. Source: PostgreSQL, appendix A, "Error
 * Codes".
 */
const MISSING_RIGHTS = ['42501', '58P01', '0A000', '3F000'];

/** Throws ServiceError `Unavailable`, or SetUpError, with a sentence for the person who set up the database. */
export async function openPostgresStore(location: PostgresLocation, options: OpenOptions = {}): Promise<Store> {
  const starting = startPool(location);
  const serverClock = new ServerClock();
  let server: Server;
  try {
    server = await bringUpToDate(starting, location, options, serverClock);
  } catch (error) {
    throw unavailableReason(error) === undefined ? error : cannotBeUsed(location, error);
  } finally {
    await starting.end();
  }
  // A commit that the server acknowledges before it is on disk may be lost. A server that also waits for standbys continues to do so.
  const pool = postgresPool(location, server.synchronousCommit === 'off' ? 'on' : 'as it is');
  serverClock.keepMeasuring(pool);
  return new PostgresStore({
    description: serverDescription(server),
    serverClock,
    clock: options.clock,
    pool,
    sessionOn: sessionsOf(pool),
    timer: options.timer,
    timeoutMs: location.timeoutMs,
  });
}

async function bringUpToDate(
  pool: pg.Pool,
  location: PostgresLocation,
  { mustExist = false, mayCreate = true, onUpgrade }: OpenOptions,
  clock: ServerClock,
): Promise<Server> {
  const client = await connectTo(pool, location);
  try {
    const server = await serverOf(client);
    requireFit(server);
    await clock.measure(client);
    const name = `${server.database} at ${server.address}`;
    await requireRights(client, serverDescription(server), !mustExist);
    const flaw = await sessionFlaw(client, pool);
    if (flaw !== undefined) throw new SetUpError(`${serverDescription(server)}: ${flaw}.`);
    if (mustExist) {
      requireCurrentSchema(await takenSteps(client), name);
      return server;
    }
    // If many processes start at the same time, one of them creates the tables, and the others find them.
    await lockSchema(client, location);
    const taken = await takenSteps(client);
    if (!mayCreate) requireNotNew(taken, name);
    // A role without the right to change tables may still use a database that its owner has brought up to date.
    if (!needsUpgrade(taken, name)) return server;
    const others = taken.length > 0 ? await otherVersions(client) : null;
    if (others !== null) onUpgrade?.('sessions of another version are connected; end them', { sessions: others });
    await upgrade(taken, (onStep) => migratePatiently(client, location, onStep, onUpgrade), onUpgrade).catch(
      (error: unknown) => {
        throw isMissingRight(error) ? mayNotMigrate(location, taken.length > 0, error) : error;
      },
    );
    return server;
  } finally {
    client.release(true);
  }
}

/** The sessions of the service whose schema is not this version's: they may book what this version would refuse. null if there is none. */
async function otherVersions(client: pg.PoolClient): Promise<string | null> {
  const { rows } = await client.query<{ sessions: string | null }>(
    `SELECT string_agg(format('role %s, program %s, process %s', usename, application_name, pid), '; ' ORDER BY pid) AS sessions
    FROM pg_stat_activity WHERE datname = current_database() AND application_name ~ '^${PROGRAM}( |$)'
      AND application_name <> current_setting('application_name')`,
  );
  return rows[0]?.sessions ?? null;
}

/**
 * Takes the missing steps. Each needs its tables for itself, and whoever asks for a table after it waits behind it. So it waits only for a
 * fifth of the time after which a call is given up, lets the calls of the previous version pass, and tries again, for a minute in all.
 */
async function migratePatiently(
  client: pg.PoolClient,
  location: PostgresLocation,
  onStep: (name: string) => void,
  onUpgrade: OpenOptions['onUpgrade'],
): Promise<void> {
  const waitMs = Math.min(Math.ceil(location.timeoutMs / 5), LONGEST_WAIT_MS);
  const pool = startPool(location, waitMs);
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        return await migrate(kyselyOn(pool), 'postgres', onStep);
      } catch (error) {
        if (!isTimeout(error)) throw error;
        const reason = (await tableHolder(client)) ?? 'another session';
        if (attempt === MOST_ATTEMPTS) {
          const message = `The schema of the database ${placeOf(location)} was not upgraded, and is as it was: its tables are used by ${reason}. End that session, or wait until it has finished, and start again.`;
          throw new ServiceError('Unavailable', message, { cause: error });
        }
        onUpgrade?.('schema upgrade waits for a session', { sessions: reason });
        await sleep(2 * waitMs);
      }
    }
  } finally {
    await pool.end();
  }
}

/**
 * Waits for up to twice the statement timeout, which is enough for creating a new database. The lock is a transaction's, which ends with the
 * connection whoever lends it; a pooler would keep a session's.
 */
async function lockSchema(client: pg.PoolClient, location: PostgresLocation): Promise<void> {
  await client.query(
    `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL lock_timeout = ${2 * location.timeoutMs}`,
  );
  await client.query(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`).catch(async (error: unknown) => {
    if (!isTimeout(error)) throw error;
    await client.query('ROLLBACK');
    const holder = await advisoryLockHolder(client, [MIGRATION_LOCK], true);
    throw new ServiceError(
      'Unavailable',
      `Another process is bringing the schema of the database ${placeOf(location)} up to date (${holder ?? 'it has just ended'}); start again when it is done.`,
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
