import type pg from 'pg';
import { ServiceError } from '../../vocabulary/errors.ts';
import { CONNECTION_LIMITS, type ConnectionLimits } from './connection-limit.ts';

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
export async function serverOf(client: pg.PoolClient): Promise<Server & ConnectionLimits> {
  const { rows } = await client.query<Omit<Server, 'address'> & ConnectionLimits>(`
    SELECT current_setting('server_version') AS "version", current_setting('server_version_num')::int AS "versionNumber",
      current_setting('server_encoding') AS "encoding", current_setting('synchronous_commit') AS "synchronousCommit",
      current_database() AS "database", ${CONNECTION_LIMITS}`);
  const [row] = rows;
  if (row === undefined) throw new Error('PostgreSQL does not report its version');
  return { ...row, version: row.version.split(' ')[0] ?? row.version, address: `${client.host}:${client.port}` };
}

/** Throws ServiceError `Unavailable` if the server is too old, or if the database can't store every character. */
export function requireFit({ version, versionNumber, encoding, database, address }: Server): void {
  if (versionNumber < OLDEST_VERSION * 10_000) {
    throw new ServiceError(
      'Unavailable',
      `PostgreSQL at ${address} is version ${version}; expected ${OLDEST_VERSION} or later.`,
    );
  }
  if (encoding !== 'UTF8') {
    const words = `The database ${database} at ${address} keeps texts as ${encoding}; expected UTF8: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.`;
    throw new ServiceError('Unavailable', words);
  }
}
