import { hash } from 'node:crypto';
import { resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import { startFailure } from '../../doctor/start-failure.ts';
import type { PostgresLocation } from '../../store/database-location.ts';
import { openPostgresStore } from '../../store/postgres/open-postgres-store.ts';
import { kyselyOn, startPool } from '../../store/postgres/postgres-pool.ts';
import { takenSteps } from '../../store/postgres/server.ts';
import { MIGRATION_LOCK } from '../../store/postgres/work-keys.ts';
import { COUNTING_TABLE, type Schema } from '../../store/schema.ts';
import { requireCurrentSchema, schemaState } from '../../store/schema-state.ts';
import { APPOINTMENTS } from '../../store/session.ts';
import {
  COPIED_FACT,
  firstColumn,
  firstValue,
  lastNumbers,
  openFile,
  ownSteps,
} from '../../store/sqlite/database-file.ts';
import { SetUpError } from '../../vocabulary/errors.ts';
import type { Progress } from '../../vocabulary/progress.ts';
import { formatInstant } from '../../vocabulary/time-zone.ts';

const EXPECTED = 'expected an empty database (createdb)';

const BATCH = 2000;

export interface CopyReport {
  /** Why the file does not say that it was copied; undefined if it does. */
  readonly unnoted: string | undefined;
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly checksum: string }[];
}

type AnyTables = Record<string, Record<string, unknown>>;

interface Table {
  readonly name: string;
  /** Sorted by name, with PostgreSQL's name of the type. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

type Row = readonly unknown[];

/**
 * Copies an SQLite file into an empty PostgreSQL database, from one snapshot and in one transaction: either everything is copied, and read
 * back with the same checksums, or nothing is. Then the file notes where its data is from `now` on, an instant in ms. Throws SetUpError with a
 * sentence for the operator, also if something was written to the file meanwhile.
 */
export async function copyDatabase(
  path: string,
  to: PostgresLocation,
  now: number,
  progress: Progress,
): Promise<CopyReport> {
  const source = openSource(resolve(path));
  const pool = startPool(to);
  try {
    await requireUsable(pool);
    const store = await openPostgresStore(to);
    await store.close();
    const tables = await kyselyOn(pool)
      .transaction()
      .execute(async (target) => {
        // A service that starts on this database waits until the copy is complete.
        await sql`SELECT pg_advisory_xact_lock(${sql.raw(String(MIGRATION_LOCK))})`.execute(target);
        await requireEmpty(target);
        return copyAll(source, target as unknown as Kysely<AnyTables>, progress);
      });
    return { tables, unnoted: noteCopied(source, `${store.description}, on ${formatInstant(now)}`) };
  } finally {
    source.close();
    await pool.end();
  }
}

/** Returns why it could not be noted: the copy is complete nevertheless. */
function noteCopied(source: DatabaseSync, fact: string): string | undefined {
  try {
    source.exec('PRAGMA query_only = OFF');
    source.prepare('INSERT OR REPLACE INTO service_fact (name, value) VALUES (?, ?)').run(COPIED_FACT, fact);
  } catch (error) {
    return startFailure(error);
  }
}

function openSource(file: string): DatabaseSync {
  let database: DatabaseSync;
  try {
    database = openFile(file);
  } catch {
    throw new SetUpError(`There is no database ${file}; expected DATABASE_URL to name the service's file.`);
  }
  try {
    database.exec('PRAGMA query_only = ON');
    requireCurrentSchema(ownSteps(database, file), file);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

async function requireUsable(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query('SELECT 1 FROM pg_tables WHERE schemaname = current_schema() LIMIT 1');
  if (rows.length === 0 || schemaState(await takenSteps(pool)) === 'current') return;
  throw new SetUpError(`The target contains other tables, or those of another version; ${EXPECTED}.`);
}

/** Empty tables are left by a copy that failed, and are accepted. */
async function requireEmpty(db: Kysely<Schema>): Promise<void> {
  const target = db as unknown as Kysely<AnyTables>;
  for (const { name } of await tablesOf(target)) {
    if (name === COUNTING_TABLE) continue;
    const row = await target.selectFrom(name).select(sql`1`.as('one')).limit(1).executeTakeFirst();
    if (row !== undefined) throw new SetUpError(`The target contains rows in table ${name}; ${EXPECTED}.`);
  }
}

/** The migrations are the only definition of which tables exist. */
async function tablesOf(target: Kysely<AnyTables>): Promise<readonly Table[]> {
  const tables = await target.introspection.getTables();
  return tables
    .filter(({ isView, name }) => !isView && !name.startsWith('kysely_'))
    .map(({ name, columns }) => ({
      name,
      columns: columns
        .map((column) => ({ name: column.name, type: column.dataType }))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
    }));
}

async function copyAll(
  database: DatabaseSync,
  target: Kysely<AnyTables>,
  progress: Progress,
): Promise<CopyReport['tables']> {
  const found = await tablesOf(target);
  database.exec('BEGIN');
  const version = () => firstValue(database, 'PRAGMA data_version');
  // The first read starts the snapshot. A table was created after those that it references.
  const names = firstColumn<string>(database, "SELECT name FROM sqlite_schema WHERE type = 'table'");
  const before = version();
  // Triggers of other tables change this one, so it is filled last.
  const order = [...names.filter((name) => name !== COUNTING_TABLE), COUNTING_TABLE];
  const tables = order.flatMap((name) => found.find((table) => table.name === name) ?? []);

  const written = new Map<Table, RowChecksum>();
  for (const table of tables) {
    const checksum = new RowChecksum();
    await target.deleteFrom(table.name).execute();
    for (const rows of sourceRows(database, table)) {
      checksum.add(rows);
      await insert(target, table, rows);
      progress(`Copying ${table.name}`, checksum.rows);
    }
    written.set(table, checksum);
  }
  await continueNumbers(database, target);

  const report: CopyReport['tables'][number][] = [];
  for (const [table, expected] of written) {
    const checksum = new RowChecksum();
    for await (const rows of targetRows(target, table)) {
      checksum.add(rows);
      progress(`Comparing ${table.name}`, checksum.rows, expected.rows);
    }
    if (checksum.rows !== expected.rows || `${checksum}` !== `${expected}`) {
      throw new SetUpError(
        `Table ${table.name} is not the same in the target: ${checksum.rows} rows with checksum ${checksum}, expected ${expected.rows} with ${expected}. Nothing was kept there.`,
      );
    }
    report.push({ name: table.name, rows: checksum.rows, checksum: `${checksum}` });
  }
  database.exec('COMMIT');
  // Reads the current state of the file.
  database.exec(`SELECT 1 FROM ${COUNTING_TABLE}`);
  if (version() !== before) {
    throw new SetUpError(
      'Something was written to the file meanwhile, so nothing was copied. Stop the service, and copy again.',
    );
  }
  return report.sort((a, b) => (a.name < b.name ? -1 : 1));
}

const columnList = ({ columns }: Table): string => columns.map(({ name }) => `"${name}"`).join(', ');

/** All rows of a table in batches. Those that overlap others come last: the guards let them overlap existing ones, but nothing may overlap them. */
function* sourceRows(database: DatabaseSync, table: Table): Generator<readonly Row[]> {
  const order = table.name === APPOINTMENTS ? ' ORDER BY overlapping' : '';
  // That the file was copied before is not true of the target.
  const only = table.name === 'service_fact' ? ` WHERE name <> '${COPIED_FACT}'` : '';
  const query = `SELECT ${columnList(table)} FROM "${table.name}"${only}${order}`;
  let rows: Row[] = [];
  for (const row of database.prepare(query, { returnArrays: true }).iterate()) {
    rows.push(row as unknown as Row);
    if (rows.length < BATCH) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

async function* targetRows(target: Kysely<AnyTables>, table: Table): AsyncGenerator<readonly Row[]> {
  await sql.raw(`DECLARE copied CURSOR FOR SELECT ${columnList(table)} FROM "${table.name}"`).execute(target);
  for (;;) {
    const { rows } = await sql.raw<Record<string, unknown>>(`FETCH ${BATCH} FROM copied`).execute(target);
    if (rows.length === 0) break;
    yield rows.map((row) => table.columns.map(({ name }) => row[name]));
  }
  await sql`CLOSE copied`.execute(target);
}

/** One array for each column: a parameter for each value would be too many. */
async function insert(target: Kysely<AnyTables>, table: Table, rows: readonly Row[]): Promise<void> {
  const arrays = table.columns.map(({ type }, index) => sql`${rows.map((row) => row[index])}::${sql.raw(type)}[]`);
  await sql`INSERT INTO ${sql.table(table.name)} (${sql.raw(columnList(table))}) OVERRIDING SYSTEM VALUE
    SELECT * FROM unnest(${sql.join(arrays)})`.execute(target);
}

/** Numbers continue after the last one that was ever assigned, whether or not its row still exists. */
async function continueNumbers(database: DatabaseSync, target: Kysely<AnyTables>): Promise<void> {
  for (const { name, last } of lastNumbers(database)) {
    if (last > 0) await sql`SELECT setval(pg_get_serial_sequence(${name}, 'id'), ${last})`.execute(target);
  }
}

const BITS = 64;

/** A checksum of rows that does not depend on their order: the sum of the first 64 bits of each row's SHA-256. */
class RowChecksum {
  #sum = 0n;
  rows = 0;

  add(rows: readonly Row[]): void {
    for (const row of rows) {
      this.#sum = BigInt.asUintN(BITS, this.#sum + hash('sha256', JSON.stringify(row), 'buffer').readBigUInt64BE());
    }
    this.rows += rows.length;
  }

  /** 16 hexadecimal digits. */
  toString(): string {
    return this.#sum.toString(16).padStart(16, '0');
  }
}
