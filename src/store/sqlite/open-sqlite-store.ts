import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { ServiceError, SetUpError } from '../../vocabulary/errors.ts';
import type { OpenOptions, SqliteLocation } from '../database-location.ts';
import { notAFile, realFile } from '../file-flaw.ts';
import { migrate } from '../migrations/migrate.ts';
import { needsUpgrade, requireCurrentSchema, requireNotNew, upgrade } from '../schema-state.ts';
import type { Store } from '../store.ts';
import {
  CACHE,
  createPrivate,
  databaseFlaw,
  firstValue,
  keepPrivate,
  openFile,
  openToRead,
  ownSteps,
  requireNotCopied,
  watchFile,
} from './database-file.ts';
import { retryWhileBusy } from './sqlite-errors.ts';
import { sessionOf } from './sqlite-session.ts';
import { SqliteStore } from './sqlite-store.ts';
import { WriteBatch } from './write-batch.ts';

/** The minimum time for which opening and migrating wait for another process that does the same. */
const START_BUSY_LIMIT_MS = 10_000;

/** A step may change the text of a table in the schema: not allowed in defensive mode, which is Node's default and set afterwards. */
const MIGRATING = { defensive: false };

/** Throws ServiceError `Unavailable`, or SetUpError, with a sentence for the person who set up the database; or SQLite's error. */
export async function openSqliteStore(
  { path, timeoutMs: busyLimitMs }: SqliteLocation,
  { mustExist = false, mayCreate = true, clock, timer, onUpgrade }: OpenOptions = {},
): Promise<Store> {
  const inMemory = path === ':memory:';
  const startLimitMs = Math.max(START_BUSY_LIMIT_MS, busyLimitMs);
  const file = inMemory ? path : realFile(path);
  if (mustExist) requireFile(file);
  else if (!inMemory && !mayCreate && !existsSync(file)) requireNotNew([], file);
  const flaw = inMemory ? undefined : databaseFlaw(file);
  if (flaw !== undefined) {
    if (mustExist && notAFile(file) === undefined) return readOnlyStore(file, flaw, clock);
    throw new SetUpError(`The database cannot be opened: ${flaw}.`);
  }
  if (!inMemory && !mustExist && mayCreate) createPrivate(file);
  const watch = inMemory ? () => undefined : watchFile(path);
  const writing = inMemory ? new DatabaseSync(file, MIGRATING) : openFile(file, { ...MIGRATING, timeout: 0 });
  try {
    // This comes before the pragmas, because they would write to a file that is empty or belongs to another program.
    await retryWhileBusy(startLimitMs, () => {
      const taken = ownSteps(writing, file);
      if (mustExist) requireCurrentSchema(taken, file);
      else if (taken.length > 0) requireNotCopied(writing);
      else if (!mayCreate && !inMemory) requireNotNew(taken, file);
    });
    // Only now is it known that the file is the service's, or empty.
    if (!inMemory && !mustExist) keepPrivate(file);
    await retryWhileBusy(startLimitMs, () => applyPragmas(writing, inMemory));
    const writeSession = sessionOf(writing);
    // For SQLite, Kysely neither locks the database nor uses a transaction: if two processes started on a new file, the second would fail.
    if (!mustExist) {
      await new WriteBatch(writing, startLimitMs).run(async () => {
        const taken = ownSteps(writing, file);
        if (!needsUpgrade(taken, file)) return;
        await upgrade(taken, (onStep) => migrate(writeSession.db, 'sqlite', onStep), onUpgrade);
      });
    }
    // The tests on Windows have a Node that does not know it.
    writing.enableDefensive?.(true);
    // What a statement may have to undo stays in memory. A booking changes so many pages that SQLite would write them, with patients' data, to a
    // temporary file: 20 of its 25 writes. Not before the migrations, which may have to sort millions of rows.
    writing.exec('PRAGMA temp_store = MEMORY');
    // Has its own connection, so that readers continue while a writer waits for the disk.
    const reading = inMemory ? undefined : openFile(file, { readOnly: true, timeout: Math.min(1000, busyLimitMs) });
    reading?.exec(CACHE);
    return new SqliteStore({
      description: inMemory ? 'SQLite in memory' : `SQLite file ${file}`,
      clock,
      writer: { database: writing, session: writeSession },
      reader: reading === undefined ? undefined : { database: reading, session: sessionOf(reading) },
      busyLimitMs,
      fileFlaw: watch,
      timer,
    });
  } catch (error) {
    writing.close();
    // A restore locks everyone out until it has replaced this file with another one. A process that opened the file before that has the old
    // one, and gets SQLite's error that it is read-only.
    if (watch() === undefined) throw error;
    throw new ServiceError(
      'Unavailable',
      `The database ${file} was replaced while the service started; start the service again.`,
    );
  }
}

/** For commands that only read: from a read-only disk, or another user's file. A write is refused. */
function readOnlyStore(file: string, flaw: string, clock: OpenOptions['clock']): Store {
  let database: DatabaseSync;
  try {
    database = openToRead(file);
  } catch (error) {
    throw new SetUpError(`The database cannot be opened: ${flaw} (${(error as Error).message}).`);
  }
  try {
    requireCurrentSchema(ownSteps(database, file), file);
  } catch (error) {
    database.close();
    throw error;
  }
  const store = new SqliteStore({
    description: `SQLite file ${file}, which can only be read`,
    clock,
    writer: { database, session: sessionOf(database) },
    reader: { database, session: sessionOf(database) },
    busyLimitMs: 0,
    fileFlaw: () => undefined,
  });
  store.write = () => Promise.reject(new SetUpError(`The database cannot be changed: ${flaw}.`));
  return store;
}

function requireFile(file: string): void {
  if (existsSync(file)) return;
  throw new ServiceError(
    'Unavailable',
    `There is no database ${file}; expected DATABASE_URL to name the service's file.`,
  );
}

/** WAL lets readers and the writer work concurrently. FULL puts each commit on disk before it is acknowledged. */
function applyPragmas(database: DatabaseSync, inMemory: boolean): void {
  // secure_delete overwrites deleted data with zeros: otherwise names and phone numbers stay in the file until the space is reused.
  database.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; ${CACHE}`,
  );
  const expected = { journal_mode: inMemory ? 'memory' : 'wal', synchronous: 2, foreign_keys: 1, secure_delete: 1 };
  for (const [name, value] of Object.entries(expected)) {
    const is = firstValue(database, `PRAGMA ${name}`);
    if (is !== value) throw new Error(`SQLite refuses PRAGMA ${name} = ${value}: it stays ${is}`);
  }
}
