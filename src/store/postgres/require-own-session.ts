import type pg from 'pg';
import { SetUpError } from '../../vocabulary/errors.ts';

const OWN_MARK = "SELECT current_setting('tpwebservices.mark', true) AS mark";

/**
 * Throws SetUpError if a pooler such as PgBouncer assigns its connections per transaction or statement. The session state that the service
 * needs would be lost, or would affect other clients: prepared statements, timeouts, and the lock under which the schema is changed.
 */
export async function requireOwnSession(client: pg.PoolClient, pool: pg.Pool): Promise<void> {
  if (!(await isShared(client, pool))) return;
  throw new SetUpError(
    `A pooler such as PgBouncer at ${client.host}:${client.port} lends its connections for one transaction each; expected pool_mode = session, or DATABASE_URL to name the server itself.`,
  );
}

async function isShared(client: pg.PoolClient, pool: pg.Pool): Promise<boolean> {
  // A pooler gives its clients process ids of its own.
  const { processID: told } = client as unknown as { readonly processID: number };
  const { rows } = await client.query<{ real: number }>('SELECT pg_backend_pid() AS real');
  if (rows[0]?.real === told) return false;
  const mark = String(told);
  await client.query("SELECT set_config('tpwebservices.mark', $1, false)", [mark]);
  const other = await pool.connect();
  try {
    // Statement mode rejects this.
    const begun = await other.query('BEGIN').catch(() => undefined);
    if (begun === undefined || (await markOf(other)) === mark) return true;
    return (await markOf(client)) !== mark;
  } finally {
    other.release(true);
  }
}

const markOf = async (client: pg.PoolClient): Promise<string | null | undefined> =>
  (await client.query<{ mark: string | null }>(OWN_MARK)).rows[0]?.mark;
