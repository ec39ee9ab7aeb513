import type pg from 'pg';
import { SetUpError } from '../../vocabulary/errors.ts';
import type { PostgresLocation } from '../database-location.ts';
import type { MoveTarget } from '../move/move-target.ts';
import { columnList, type MovedRow, type MovedTable, movedTables, quotedName } from '../move/moved-table.ts';
import { COUNTING_TABLE } from '../schema.ts';
import { schemaState } from '../schema-state.ts';
import { openPostgresStore } from './open-postgres-store.ts';
import { goOnAfter } from './postgres-numbers.ts';
import { kyselyOn, startPool } from './postgres-pool.ts';
import { postgresRows } from './postgres-rows.ts';
import { serverOf, takenSteps } from './server.ts';
import { MIGRATION_LOCK } from './work-locks.ts';

/**
 * Fills a database in one transaction. Throws SetUpError if the database contains any rows, or tables that are not the service's. Empty
 * tables are left by an interrupted move and are accepted.
 */
export async function openPostgresTarget(location: PostgresLocation): Promise<MoveTarget> {
  const pool = startPool(location);
  let client: pg.PoolClient | undefined;
  try {
    client = await pool.connect();
    const { version, database, address } = await serverOf(client);
    await requireEmpty(client, pool, database);
    await (await openPostgresStore(location)).close();
    // A service that starts on this database waits until the move has ended.
    await client.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
    await requireEmpty(client, pool, database);
    const tables = await inOrder(client, await movedTables(kyselyOn(pool)));
    await client.query('BEGIN');
    return new PostgresTarget(`PostgreSQL ${version} at ${address}, database ${database}`, pool, client, tables);
  } catch (error) {
    client?.release(true);
    await pool.end();
    throw error;
  }
}

async function requireEmpty(client: pg.PoolClient, pool: pg.Pool, database: string): Promise<void> {
  const expected = 'expected an empty one (createdb)';
  const { rows } = await client.query('SELECT 1 FROM pg_tables WHERE schemaname = current_schema() LIMIT 1');
  if (rows.length === 0) return;
  if (schemaState(await takenSteps(client)) !== 'current') {
    throw new SetUpError(`The database ${database} contains other tables, or those of another version; ${expected}.`);
  }
  for (const { name } of await movedTables(kyselyOn(pool))) {
    if (name === COUNTING_TABLE) continue;
    const found = await client.query(`SELECT 1 FROM ${quotedName(name)} LIMIT 1`);
    if (found.rows.length > 0)
      throw new SetUpError(`The database ${database} contains rows in table ${name}; ${expected}.`);
  }
}

/** Sorts the tables so that each one comes after the tables that it references. */
async function inOrder(client: pg.PoolClient, tables: readonly MovedTable[]): Promise<readonly MovedTable[]> {
  const { rows } = await client.query<{ from: string; to: string }>(
    `SELECT conrelid::regclass::text AS "from", confrelid::regclass::text AS "to" FROM pg_constraint WHERE contype = 'f'`,
  );
  const placed = new Set<MovedTable>();
  const place = (table: MovedTable) => {
    if (placed.has(table)) return;
    for (const { to } of rows.filter(({ from }) => from === table.name)) {
      const other = tables.find(({ name }) => name === to);
      if (other !== undefined && other !== table) place(other);
    }
    placed.add(table);
  };
  for (const table of tables) place(table);
  return [...placed];
}

class PostgresTarget implements MoveTarget {
  readonly description: string;
  readonly tables: readonly MovedTable[];
  readonly #pool: pg.Pool;
  readonly #client: pg.PoolClient;

  constructor(description: string, pool: pg.Pool, client: pg.PoolClient, tables: readonly MovedTable[]) {
    this.description = description;
    this.tables = tables;
    this.#pool = pool;
    this.#client = client;
  }

  async clear({ name }: MovedTable): Promise<void> {
    await this.#client.query(`DELETE FROM ${quotedName(name)}`);
  }

  async insert(table: MovedTable, rows: readonly MovedRow[]): Promise<void> {
    const arrays = table.columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ');
    const text = `INSERT INTO ${quotedName(table.name)} (${columnList(table)}) OVERRIDING SYSTEM VALUE SELECT * FROM unnest(${arrays})`;
    const values = table.columns.map((_, index) => rows.map((row) => row[index]));
    await this.#client.query(text, values);
  }

  async goOnAfter({ name, counted }: MovedTable, last: number): Promise<void> {
    if (counted !== undefined) await goOnAfter(this.#client, name, counted, last);
  }

  rows(table: MovedTable): AsyncIterable<readonly MovedRow[]> {
    return postgresRows(this.#client, table);
  }

  async commit(): Promise<void> {
    await this.#client.query('COMMIT');
  }

  async close(): Promise<void> {
    // Closing the connection rolls back its open transaction and releases its lock.
    this.#client.release(true);
    await this.#pool.end();
  }
}
