import { existsSync, renameSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { SetUpError } from '../../vocabulary/errors.ts';
import type { MoveTarget } from '../move/move-target.ts';
import { columnList, type MovedRow, type MovedTable, movedTables, quotedName } from '../move/moved-table.ts';
import { type BeforeEnd, removeDatabase } from '../part-file.ts';
import type { Schema } from '../schema.ts';
import { fileToDisk, folderToDisk } from '../to-disk.ts';
import { sqliteRows } from './open-sqlite-source.ts';
import { openSqliteStore } from './open-sqlite-store.ts';
import { goOnAfter } from './sqlite-numbers.ts';

/** Fills a new file next to the named one, and renames it when it is complete. Throws SetUpError if the name is taken. */
export async function openSqliteTarget(path: string, beforeEnd: BeforeEnd): Promise<MoveTarget> {
  const file = resolve(path);
  if (path === ':memory:') throw new SetUpError('--to names a database in memory; expected a file.');
  if (existsSync(file)) throw new SetUpError(`${file} exists already; expected the name of a new file.`);
  const part = `${file}.part`;
  // Left over from an interrupted move.
  removeDatabase(part);
  const ended = beforeEnd(() => removeDatabase(part));
  await (await openSqliteStore(part)).close();
  const database = new Database(part);
  // Nobody uses the file until it is complete, so constraints and durability matter only at the end.
  database.pragma('foreign_keys = OFF');
  database.pragma('synchronous = OFF');
  const tables = await movedTables(new Kysely<Schema>({ dialect: new SqliteDialect({ database }) }));
  database.exec('BEGIN');
  return new SqliteTarget(file, part, database, tables, ended);
}

class SqliteTarget implements MoveTarget {
  readonly description: string;
  readonly tables: readonly MovedTable[];
  readonly #file: string;
  readonly #part: string;
  readonly #database: Database.Database;
  readonly #ended: () => void;

  constructor(
    file: string,
    part: string,
    database: Database.Database,
    tables: readonly MovedTable[],
    ended: () => void,
  ) {
    this.description = `SQLite file ${file}`;
    this.tables = tables;
    this.#file = file;
    this.#part = part;
    this.#database = database;
    this.#ended = ended;
  }

  async clear({ name }: MovedTable): Promise<void> {
    this.#database.exec(`DELETE FROM ${quotedName(name)}`);
  }

  async insert(table: MovedTable, rows: readonly MovedRow[]): Promise<void> {
    const places = table.columns.map(() => '?').join(', ');
    const into = `INSERT INTO ${quotedName(table.name)} (${columnList(table)}) VALUES (${places})`;
    const statement = this.#database.prepare(into);
    for (const row of rows) statement.run(row);
  }

  async goOnAfter({ name }: MovedTable, last: number): Promise<void> {
    goOnAfter(this.#database, name, last);
  }

  rows(table: MovedTable): AsyncIterable<readonly MovedRow[]> {
    return sqliteRows(this.#database, table);
  }

  async commit(): Promise<void> {
    const broken = this.#database.pragma('foreign_key_check') as readonly unknown[];
    if (broken.length > 0) throw new SetUpError(`${broken.length} rows of the source refer to rows that do not exist.`);
    this.#database.exec('COMMIT');
    // Merges everything into one file: otherwise the content of the write-ahead log would stay behind under the old name.
    this.#database.pragma('journal_mode = DELETE');
    this.#database.close();
    await fileToDisk(this.#part);
    renameSync(this.#part, this.#file);
    await folderToDisk(dirname(this.#file));
  }

  async close(): Promise<void> {
    this.#database.close();
    removeDatabase(this.#part);
    this.#ended();
  }
}
