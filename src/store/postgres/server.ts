import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration';
import type pg from 'pg';
import { ServiceError } from '../../vocabulary/errors.ts';
import type { PostgresLocation } from '../database-location.ts';
import { LENT } from './postgres-errors.ts';

/** The oldest version that supports everything the schema needs and is still maintained. */
const OLDEST_VERSION = 14;

/** A server, and the database that a connection uses there. */
export interface Server {
  /** For example 15.14. */
  readonly version: string;
  readonly versionNumber: number;
  readonly encoding: string;
  readonly synchronousCommit: string;
  readonly database: string;
  /** Host and port, or the directory of the socket. */
  readonly address: string;
}

/** What the service needs to know about the server that a connection leads to. */
export async function serverOf(client: pg.PoolClient): Promise<Server> {
  const { rows } = await client.query<Omit<Server, 'address'>>(`
    SELECT current_setting('server_version') AS "version", current_setting('server_version_num')::int AS "versionNumber",
      current_setting('server_encoding') AS "encoding", current_setting('synchronous_commit') AS "synchronousCommit",
      current_database() AS "database"`);
  const [row] = rows;
  if (row === undefined) throw new Error('PostgreSQL does not report its version');
  return { ...row, version: row.version.split(' ')[0] ?? row.version, address: `${client.host}:${client.port}` };
}

/** For the operator; contains no password. */
export const serverDescription = ({ version, address, database }: Server): string =>
  `PostgreSQL ${version} at ${address}, database ${database}`;

/** Throws ServiceError `Unavailable` if the server is too old, or if the database can't store every character. */
export function requireFit({ version, versionNumber, encoding, database, address }: Server): void {
  if (versionNumber < OLDEST_VERSION * 10_000) {
    const text = `PostgreSQL at ${address} is version ${version}; expected ${OLDEST_VERSION} or later.`;
    throw new ServiceError('Unavailable', text);
  }
  if (encoding !== 'UTF8') {
    throw new ServiceError(
      'Unavailable',
      `The database ${database} at ${address} keeps texts as ${encoding}; expected UTF8: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.`,
    );
  }
}

/** Names of the steps that created the database's current schema. Changes nothing. */
export async function takenSteps(client: pg.Pool | pg.PoolClient): Promise<readonly string[]> {
  const { rows } = await client.query(`SELECT to_regclass('${DEFAULT_MIGRATION_TABLE}') IS NOT NULL AS there`);
  if (!rows[0]?.there) return [];
  const steps = await client.query<{ name: string }>(`SELECT name FROM ${DEFAULT_MIGRATION_TABLE}`);
  return steps.rows.map(({ name }) => name);
}

const SESSION = 'tpwebservices.session';

/**
 * Why the service cannot work on the sessions of a server, and what to do, without a final period; undefined if it can. A pooler that
 * assigns its connections per transaction or statement loses what the service needs of a session, or passes it on to other clients:
 * prepared statements and timeouts.
 */
export async function sessionFlaw(client: pg.PoolClient, pool: pg.Pool): Promise<string | undefined> {
  const { rows } = await client.query(`SELECT current_schema() AS "schema", set_config('${SESSION}', 'own', false)`);
  if (rows[0]?.schema === null) {
    return 'the search_path of this user names no schema that exists; create it, or ALTER ROLE … RESET search_path';
  }
  const isOwn = async (on: pg.PoolClient) =>
    (await on.query(`SELECT current_setting('${SESSION}', true) = 'own' AS own`)).rows[0]?.own === true;
  // Where the limit of connections allows no other one, the first use of a session that is not its own fails instead.
  const other = await pool.connect().catch(() => undefined);
  if (other === undefined) return undefined;
  try {
    // While this transaction lasts, nobody else is lent its connection. A pooler that lends one per statement refuses to begin it.
    const isBegun = await other.query('BEGIN').then(
      () => true,
      () => false,
    );
    if (isBegun && !(await isOwn(other)) && (await isOwn(client))) return undefined;
    return `${LENT}; set pool_mode = session, or make DATABASE_URL name the server itself`;
  } finally {
    other.release(true);
  }
}

/** A connection. Throws ServiceError `Unavailable` with a sentence for the operator. */
export async function connectTo(pool: pg.Pool, location: PostgresLocation): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw cannotBeUsed(location, error);
  }
}

/** Why a server cannot be used. */
export const cannotBeUsed = (location: PostgresLocation, error: unknown): ServiceError =>
  new ServiceError(
    'Unavailable',
    `PostgreSQL at ${placeOf(location)} cannot be used (${reasonOf(error)}); expected DATABASE_URL to name a running server, a user who may log in, and a database.`,
    { cause: error },
  );

/** Host, port and database. The password, which may contain an @, is in front of them or among the options after the question mark. */
export const placeOf = ({ url }: Pick<PostgresLocation, 'url'>): string =>
  (url.split('?', 1)[0] as string).replace(/^postgres(?:ql)?:\/\/(?:.*@)?/, '');

/** The error for a host with several addresses has no message of its own. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error && error.message !== '' ? error.message : String((error as { readonly code?: unknown }).code);
