import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { platform } from 'node:os';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { ServiceError } from '../../vocabulary/errors.ts';
import { bindRecords } from '../bind-records.ts';
import { migrate } from '../migrate.ts';
import type { OpenOptions } from '../open-store.ts';
import { WriterReferenceCache } from '../records/reference-cache.ts';
import type { Schema } from '../schema.ts';
import {
  refuseNewerSchema,
  requireCurrentSchema,
  requireNotNew,
  schemaState,
  upgradeNotices,
} from '../schema-state.ts';
import type { Session } from '../statement.ts';
import { type Records, type Store, StoreConflict } from '../store.ts';
import { cachedStatements } from './cached-statements.ts';
import { databaseSize, sizeAfterChange } from './database-size.ts';
import { FileIdentity } from './file-identity.ts';
import { isDamage } from './is-damage.ts';
import { ReadTurn } from './read-turn.ts';
import { retryWhileBusy } from './retry-while-busy.ts';
import { sqliteDifferences } from './sqlite-differences.ts';
import { sqliteNumbers } from './sqlite-numbers.ts';
import { ownSteps } from './taken-steps.ts';
import { WalLimit } from './wal-limit.ts';
import { WriteBatch } from './write-batch.ts';

/** The minimum time for which opening and migrating wait for another process that does the same, in milliseconds. */
const START_BUSY_LIMIT = 10_000;

export interface SqliteSettings {
  /** How long a write waits for another process, in milliseconds; default 5 s. */
  readonly busyLimit?: number | undefined;
  /** As in OpenOptions. */
  readonly mustExist?: boolean | undefined;
  /** As in OpenOptions. */
  readonly mayCreate?: boolean | undefined;
  readonly tell?: OpenOptions['tell'];
}

/** An image of this process's first in-memory database, taken after the migration. Later ones start as a copy of it. */
let migratedImage: Buffer | undefined;

/** `path` is a file, or `:memory:`. */
export async function openSqliteStore(
  path: string,
  { busyLimit, mustExist = false, mayCreate = true, tell }: SqliteSettings = {},
): Promise<Store> {
  const inMemory = path === ':memory:';
  const startLimit = Math.max(START_BUSY_LIMIT, busyLimit ?? 0);
  const file = inMemory ? path : resolve(path);
  if (mustExist) requireFile(file);
  else if (!inMemory && !mayCreate) {
    if (!existsSync(file)) requireNotNew([], file);
  } else if (!inMemory) {
    // The file contains names and phone numbers, so only this user may read it. SQLite gives its companion files the same mode.
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    closeSync(openSync(file, 'a', 0o600));
  }
  if (!inMemory && !mustExist) keepPrivate(file);
  const inode = inMemory ? undefined : statSync(file).ino;
  const fileMustExist = mustExist || !(mayCreate || inMemory);
  const writing = new Database((inMemory && migratedImage) || file, { timeout: 0, fileMustExist });
  try {
    // This comes before the pragmas, because they would write to a file that is empty or belongs to another program.
    await retryWhileBusy(startLimit, () => {
      const taken = ownSteps(writing, file);
      if (mustExist) requireCurrentSchema(taken, file);
      else if (!mayCreate && !inMemory) requireNotNew(taken, file);
    });
    await retryWhileBusy(startLimit, () => applyPragmas(writing, inMemory));
    const statements = cachedStatements(writing);
    const writeSession = sessionOf(writing, statements);
    // For SQLite, Kysely neither locks the database nor uses a transaction: if two processes started on a new file, the second would fail.
    if (!mustExist) {
      const notices = await new WriteBatch(writing, startLimit).run(async () => {
        const taken = ownSteps(writing, file);
        refuseNewerSchema(taken, file);
        if (schemaState(taken) === 'current') return [];
        return upgradeNotices(taken, await migrate(writeSession.db, sqliteDifferences));
      });
      for (const notice of notices) tell?.(notice);
      if (inMemory) migratedImage ??= writing.serialize();
    }
    // An in-memory database exists in one connection only. With a file, readers continue while a writer waits for the disk.
    const reading = inMemory
      ? writing
      : new Database(file, { readonly: true, timeout: Math.min(1000, busyLimit ?? 1000) });
    return new SqliteStore(
      inMemory ? 'SQLite in memory' : `SQLite file ${file}`,
      writing,
      statements.changesAttempted,
      writeSession,
      reading,
      busyLimit,
      inMemory ? undefined : new FileIdentity(file, () => sizeAfterChange(writing)),
    );
  } catch (error) {
    writing.close();
    if (inode !== undefined) requireSameFile(file, inode);
    throw error;
  }
}

/**
 * Removes other users' permissions from a file that was copied or restored with them, and from its companion files, which inherited its
 * mode.
 */
function keepPrivate(file: string): void {
  if (platform() === 'win32') return;
  for (const name of ['', '-wal', '-shm'].map((end) => file + end)) {
    const mode = statSync(name, { throwIfNoEntry: false })?.mode ?? 0;
    if ((mode & 0o077) !== 0) chmodSync(name, 0o600);
  }
}

function requireFile(file: string): void {
  if (existsSync(file)) return;
  throw new ServiceError(
    'Unavailable',
    `There is no database ${file}; expected DATABASE_URL to name the service's file.`,
  );
}

/**
 * A restore locks everyone out until it has replaced this file with another one. A process that opened the file before that has the old one,
 * and gets SQLite's error that it is read-only.
 */
function requireSameFile(file: string, inode: number): void {
  if (statSync(file, { throwIfNoEntry: false })?.ino === inode) return;
  throw new ServiceError(
    'Unavailable',
    `The database ${file} was replaced while the service started; start the service again.`,
  );
}

/** WAL lets readers and the writer work concurrently. FULL puts each commit on disk before it is acknowledged. */
function applyPragmas(database: Database.Database, inMemory: boolean): void {
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  // Overwrites deleted data with zeros: otherwise names and phone numbers stay in the file until the space is reused.
  database.pragma('secure_delete = ON');
  const expected = { journal_mode: inMemory ? 'memory' : 'wal', synchronous: 2, foreign_keys: 1, secure_delete: 1 };
  for (const [name, value] of Object.entries(expected)) {
    const is = database.pragma(name, { simple: true });
    if (is !== value) throw new Error(`SQLite refuses PRAGMA ${name} = ${value}: it stays ${is}`);
  }
}

function sessionOf(database: Database.Database, statements = cachedStatements(database)): Session {
  const prepare = (sql: string) => statements.prepare(sql) as unknown as Database.Statement<unknown[]>;
  return {
    db: new Kysely<Schema>({ dialect: new SqliteDialect({ database: statements }) }),
    compiled: new Map(),
    numbers: sqliteNumbers(statements),
    // Reading the values from an array costs better-sqlite3 more than taking them as arguments.
    run: async (sql, parameters) => {
      const statement = prepare(sql);
      if (statement.reader) return statement.all(...parameters);
      statement.run(...parameters);
      return [];
    },
    first: async (sql, parameters) => prepare(sql).get(...parameters),
  };
}

class SqliteStore implements Store {
  readonly description: string;
  readonly #writing: Database.Database;
  readonly #reading: Database.Database;
  readonly #batch: WriteBatch;
  readonly #writeRecords: Records;
  readonly #readRecords: Records;
  readonly #turn: ReadTurn;
  readonly #identity: FileIdentity | undefined;
  readonly #limit: WalLimit | undefined;
  #damage: string | undefined;

  constructor(
    description: string,
    writing: Database.Database,
    changesAttempted: () => number,
    writeSession: Session,
    reading: Database.Database,
    busyLimit: number | undefined,
    identity: FileIdentity | undefined,
  ) {
    this.description = description;
    this.#writing = writing;
    this.#reading = reading;
    this.#identity = identity;
    this.#writeRecords = bindRecords(writeSession);
    const cache = new WriterReferenceCache(() => this.#writeRecords.reference.version());
    writeSession.referenceCache = cache;
    const readSession = reading === writing ? writeSession : sessionOf(reading);
    this.#readRecords = reading === writing ? this.#writeRecords : bindRecords(readSession);
    this.#turn = new ReadTurn(reading, readSession);
    if (reading !== writing) readSession.referenceCache = this.#turn;
    this.#limit = reading === writing ? undefined : new WalLimit(writing, () => this.#turn.end());
    this.#batch = new WriteBatch(writing, busyLimit, {
      changesAttempted,
      afterBegin: () => cache.onBegin(),
      requireSound: () => this.#requireSound(),
      afterCommit: () => this.#limit?.afterCommit(),
    });
  }

  async read<T>(work: (records: Records) => Promise<T>): Promise<T> {
    try {
      // With a single connection, a read must not run between the statements of a transaction.
      if (this.#reading === this.#writing) return await this.#batch.run(() => work(this.#readRecords));
      this.#turn.begin();
      return await work(this.#readRecords);
    } catch (error) {
      throw this.#storeError(error);
    }
  }

  async write<T>(work: (records: Records) => Promise<T>): Promise<T> {
    try {
      const value = await this.#batch.run(() => work(this.#writeRecords));
      // A caller that learns of this write may immediately read it.
      this.#turn.end();
      return value;
    } catch (error) {
      throw this.#storeError(error);
    }
  }

  async referenceVersion(): Promise<number> {
    // data_version reports commits by other connections, so it does not change if there is only one.
    if (this.#reading === this.#writing) return this.read(({ reference }) => reference.version());
    try {
      this.#turn.begin();
      return this.#turn.data().version;
    } catch (error) {
      throw this.#storeError(error);
    }
  }

  async time(): Promise<undefined> {
    return undefined;
  }

  async size(): Promise<number> {
    const file = this.#writing.name;
    if (this.#reading !== this.#writing) return sizeOf(file) + sizeOf(`${file}-wal`);
    return databaseSize(this.#writing);
  }

  flaw(): string | undefined {
    return this.#damage ?? this.#identity?.flaw();
  }

  async purge(): Promise<void> {
    this.#limit?.emptySoon();
    // This commit empties the log.
    await this.write(async () => {});
  }

  async close(): Promise<void> {
    await this.#batch.idle();
    this.#turn.end();
    if (this.#reading !== this.#writing) this.#reading.close();
    this.#writing.close();
  }

  #requireSound(): void {
    const flaw = this.flaw();
    if (flaw !== undefined) throw new ServiceError('Unavailable', undefined, { cause: new Error(flaw) });
  }

  /** After damage is found, nothing more is written to the file until somebody has examined it and restarted the service. */
  #storeError(error: unknown): unknown {
    if (isDamage(error)) this.#damage = `The database file is damaged (${(error as Error).message}).`;
    return storeError(error);
  }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** Errors that a caller of the store can act on. Any other error is passed on unchanged, to be answered as our fault. */
function storeError(error: unknown): unknown {
  const conflict = sqliteDifferences.conflictOf(error);
  if (conflict !== undefined) {
    // The transaction began as a writer before the work read anything, so the work saw everything that was committed.
    return new StoreConflict(conflict, error, true);
  }
  if (sqliteDifferences.isUnavailable(error)) return new ServiceError('Unavailable', undefined, { cause: error });
  return error;
}
