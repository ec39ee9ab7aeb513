import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { ServiceError } from '../../errors.ts';
import { bindRecords } from '../bind-records.ts';
import { migrate } from '../migrate.ts';
import type { Schema } from '../schema.ts';
import type { Session } from '../statement.ts';
import { type Records, type Store, StoreConflict } from '../store.ts';
import { cachedStatements } from './cached-statements.ts';
import { sqliteDifferences } from './sqlite-differences.ts';
import { WriteBatch } from './write-batch.ts';

/** How long opening and migrating waits for another process that does the same, in milliseconds. */
const START_BUSY_LIMIT = 10_000;

/** `path` is a file, made with its folder if it isn't there, or `:memory:`. */
export async function openSqliteStore(path: string): Promise<Store> {
  const inMemory = path === ':memory:';
  const file = inMemory ? path : resolve(path);
  if (!inMemory) mkdirSync(dirname(file), { recursive: true });
  const writing = new Database(file, { timeout: START_BUSY_LIMIT });
  try {
    applyPragmas(writing, inMemory);
    const writeSession = sessionOf(writing);
    await migrate(writeSession.db, sqliteDifferences);
    // A database in memory lives in one connection; a file lets readers go on while a writer waits for the disk.
    const reading = inMemory ? writing : new Database(file, { readonly: true, timeout: 1000 });
    writing.pragma('busy_timeout = 0');
    return new SqliteStore(inMemory ? 'SQLite in memory' : `SQLite file ${file}`, writing, writeSession, reading);
  } catch (error) {
    writing.close();
    throw error;
  }
}

/** WAL lets readers and the writer work side by side; FULL puts each commit on the disk before it is acknowledged. */
function applyPragmas(database: Database.Database, inMemory: boolean): void {
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  const expected = { journal_mode: inMemory ? 'memory' : 'wal', synchronous: 2, foreign_keys: 1 };
  for (const [name, value] of Object.entries(expected)) {
    const is = database.pragma(name, { simple: true });
    if (is !== value) throw new Error(`SQLite refuses PRAGMA ${name} = ${value}: it stays ${is}`);
  }
}

const sessionOf = (database: Database.Database): Session => ({
  db: new Kysely<Schema>({ dialect: new SqliteDialect({ database: cachedStatements(database) }) }),
  compiled: new Map(),
});

class SqliteStore implements Store {
  readonly description: string;
  readonly #writing: Database.Database;
  readonly #reading: Database.Database;
  readonly #batch: WriteBatch;
  readonly #writeRecords: Records;
  readonly #readRecords: Records;

  constructor(description: string, writing: Database.Database, writeSession: Session, reading: Database.Database) {
    this.description = description;
    this.#writing = writing;
    this.#reading = reading;
    this.#batch = new WriteBatch(writing);
    this.#writeRecords = bindRecords(writeSession);
    this.#readRecords = reading === writing ? this.#writeRecords : bindRecords(sessionOf(reading));
  }

  async read<T>(work: (records: Records) => Promise<T>): Promise<T> {
    try {
      // With one connection, a read must not fall between the statements of a transaction.
      return await (this.#reading === this.#writing
        ? this.#batch.run(() => work(this.#readRecords))
        : work(this.#readRecords));
    } catch (error) {
      throw storeError(error);
    }
  }

  async write<T>(work: (records: Records) => Promise<T>): Promise<T> {
    try {
      return await this.#batch.run(() => work(this.#writeRecords));
    } catch (error) {
      throw storeError(error);
    }
  }

  async close(): Promise<void> {
    await this.#batch.idle();
    if (this.#reading !== this.#writing) this.#reading.close();
    this.#writing.close();
  }
}

/** What a caller of the store can act on; everything else goes on as it is, to be answered as our fault. */
function storeError(error: unknown): unknown {
  const conflict = sqliteDifferences.conflictOf(error);
  if (conflict !== undefined) return new StoreConflict(conflict, error);
  if (sqliteDifferences.isUnavailable(error)) return new ServiceError('Unavailable', undefined, { cause: error });
  return error;
}
