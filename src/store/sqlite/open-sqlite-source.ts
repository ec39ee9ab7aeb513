import { resolve } from 'node:path';
import Database from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { SetUpError } from '../../vocabulary/errors.ts';
import type { MoveSource } from '../move/move-source.ts';
import { type MovedRow, type MovedTable, movedTables, quotedName, selectRows } from '../move/moved-table.ts';
import { APPOINTMENT_NUMBER, APPOINTMENTS } from '../numbers.ts';
import type { Schema } from '../schema.ts';
import { requireCurrentSchema } from '../schema-state.ts';
import { takenSteps } from './taken-steps.ts';

/** Rows per read. */
const BATCH = 2000;

/** Opens a file that may be in use. Throws SetUpError, or ServiceError `Unavailable` unless the file has this program's schema. */
export async function openSqliteSource(path: string): Promise<MoveSource> {
  const file = resolve(path);
  const database = open(file);
  try {
    database.pragma('query_only = ON');
    requireCurrentSchema(takenSteps(database), file);
    const tables = await movedTables(new Kysely<Schema>({ dialect: new SqliteDialect({ database }) }));
    database.exec('BEGIN');
    return new SqliteSource(file, database, tables);
  } catch (error) {
    database.close();
    throw error;
  }
}

function open(file: string): Database.Database {
  try {
    return new Database(file, { fileMustExist: true });
  } catch {
    throw new SetUpError(`There is no database ${file}; expected DATABASE_URL to name the service's file.`);
  }
}

/** All rows of a table, in batches. */
export async function* sqliteRows(database: Database.Database, table: MovedTable): AsyncGenerator<readonly MovedRow[]> {
  const statement = database.prepare(selectRows(table)).raw();
  let rows: MovedRow[] = [];
  for (const row of statement.iterate()) {
    rows.push(row as MovedRow);
    if (rows.length < BATCH) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

class SqliteSource implements MoveSource {
  readonly description: string;
  readonly tables: readonly MovedTable[];
  readonly #database: Database.Database;
  readonly #version: unknown;

  constructor(file: string, database: Database.Database, tables: readonly MovedTable[]) {
    this.description = `SQLite file ${file}`;
    this.tables = tables;
    this.#database = database;
    // The first read starts the snapshot.
    database.prepare('SELECT 1 FROM sqlite_master').get();
    this.#version = database.pragma('data_version', { simple: true });
  }

  async count({ name }: MovedTable): Promise<number> {
    return (
      this.#database
        .prepare<[], number>(`SELECT count(*) FROM ${quotedName(name)}`)
        .pluck()
        .get() ?? 0
    );
  }

  rows(table: MovedTable): AsyncIterable<readonly MovedRow[]> {
    return sqliteRows(this.#database, table);
  }

  async lastNumber({ name }: MovedTable): Promise<number> {
    if (name === APPOINTMENTS) {
      return this.#database.prepare<[], number>(`SELECT last_id FROM ${APPOINTMENT_NUMBER}`).pluck().get() ?? 0;
    }
    return (
      this.#database.prepare<[string], number>('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck().get(name) ?? 0
    );
  }

  async changedSince(): Promise<boolean> {
    this.#database.exec('COMMIT');
    this.#database.prepare('SELECT 1 FROM sqlite_master').get();
    return this.#database.pragma('data_version', { simple: true }) !== this.#version;
  }

  async close(): Promise<void> {
    this.#database.close();
  }
}
