import type pg from 'pg';
import type { PostgresLocation } from '../database-location.ts';
import type { MoveSource } from '../move/move-source.ts';
import { type MovedRow, type MovedTable, movedTables, quotedName } from '../move/moved-table.ts';
import { requireCurrentSchema } from '../schema-state.ts';
import { lastNumber } from './postgres-numbers.ts';
import { kyselyOn, startPool } from './postgres-pool.ts';
import { postgresRows } from './postgres-rows.ts';
import { serverOf, takenSteps } from './server.ts';

/** Opens a database that may be in use. Throws ServiceError `Unavailable` unless it has this program's schema. */
export async function openPostgresSource(location: PostgresLocation): Promise<MoveSource> {
  const pool = startPool(location);
  let client: pg.PoolClient | undefined;
  try {
    client = await pool.connect();
    const { version, database, address } = await serverOf(client);
    requireCurrentSchema(await takenSteps(client), `${database} at ${address}`);
    const tables = await movedTables(kyselyOn(pool));
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const source = new PostgresSource(
      `PostgreSQL ${version} at ${address}, database ${database}`,
      pool,
      client,
      tables,
    );
    await source.begin();
    return source;
  } catch (error) {
    client?.release(true);
    await pool.end();
    throw error;
  }
}

class PostgresSource implements MoveSource {
  readonly description: string;
  readonly tables: readonly MovedTable[];
  readonly #pool: pg.Pool;
  readonly #client: pg.PoolClient;
  readonly #lastNumbers = new Map<string, number>();

  constructor(description: string, pool: pg.Pool, client: pg.PoolClient, tables: readonly MovedTable[]) {
    this.description = description;
    this.tables = tables;
    this.#pool = pool;
    this.#client = client;
  }

  /**
   * Takes the snapshot first and reads the sequences afterwards. Sequences are not part of a snapshot, so they may be ahead of the rows,
   * but never behind them.
   */
  async begin(): Promise<void> {
    await this.#client.query('SELECT 1');
    for (const table of this.tables) this.#lastNumbers.set(table.name, await this.#numberOf(table));
  }

  async count({ name }: MovedTable): Promise<number> {
    return (await this.#client.query<{ n: number }>(`SELECT count(*) AS n FROM ${quotedName(name)}`)).rows[0]?.n ?? 0;
  }

  rows(table: MovedTable): AsyncIterable<readonly MovedRow[]> {
    return postgresRows(this.#client, table);
  }

  async lastNumber({ name }: MovedTable): Promise<number> {
    return this.#lastNumbers.get(name) ?? 0;
  }

  async changedSince(): Promise<boolean> {
    await this.#client.query('COMMIT');
    for (const table of this.tables) {
      if ((await this.#numberOf(table)) !== this.#lastNumbers.get(table.name)) return true;
    }
    const { rows } = await this.#client.query<{ n: number }>(
      `
      SELECT count(*) AS n FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = current_setting('application_name') AND pid <> ALL ($1)`,
      [await this.#ownConnections()],
    );
    return (rows[0]?.n ?? 0) > 0;
  }

  async close(): Promise<void> {
    this.#client.release(true);
    await this.#pool.end();
  }

  async #numberOf({ name, counted }: MovedTable): Promise<number> {
    return counted === undefined ? 0 : lastNumber(this.#client, name, counted);
  }

  /** The pool's other connection, if open, was used to inspect the tables. */
  async #ownConnections(): Promise<readonly number[]> {
    const pids: number[] = [];
    for (const on of [this.#client, this.#pool]) {
      const { rows } = await on.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      if (rows[0] !== undefined) pids.push(rows[0].pid);
    }
    return pids;
  }
}
