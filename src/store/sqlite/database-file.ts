import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
} from 'node:fs';
import { platform, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration';
import { SetUpError } from '../../vocabulary/errors.ts';
import { quoted } from '../../vocabulary/text.ts';
import { fileFlaw } from '../file-flaw.ts';

/** Why this user cannot use the file of a database, next to which SQLite creates others; undefined if nothing is known to prevent it. */
export const databaseFlaw = (file: string): string | undefined =>
  fileFlaw(file) ?? fileFlaw(`${file}-wal`) ?? fileFlaw(`${file}-shm`);

/**
 * A connection that only reads. Where this user may not create files, SQLite opens only a database that another process has open already;
 * otherwise, a temporary copy is opened, which has no name any longer and is gone with this process. Throws SQLite's error.
 */
export function openToRead(file: string): Database.Database {
  try {
    return readable(new Database(file, { readonly: true, fileMustExist: true }));
  } catch (error) {
    const isRefused = /^SQLITE_(?:CANTOPEN|READONLY)/.test(String((error as { readonly code?: unknown }).code));
    // Windows deletes no file that is open.
    if (!isRefused || platform() === 'win32') throw error;
  }
  const folder = mkdtempSync(join(tmpdir(), 'tpwebservices-'));
  try {
    const copy = join(folder, 'copy.db');
    for (const end of ['', '-wal'].filter((name) => existsSync(file + name))) {
      copyFileSync(file + end, copy + end);
      chmodSync(copy + end, 0o600);
    }
    const database = new Database(copy);
    database.pragma('query_only = ON');
    return readable(database);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The database, once it has opened all of its files. */
function readable(database: Database.Database): Database.Database {
  try {
    database.prepare('SELECT 1 FROM sqlite_schema').get();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Creates the file of a database unless it exists. It contains names and phone numbers, so only this user may read it. SQLite gives its
 * companion files the same mode.
 */
export function createPrivate(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
}

/**
 * Removes other users' permissions from a file that was copied or restored with them, and from its companion files, which inherited its
 * mode.
 */
export function keepPrivate(file: string): void {
  if (platform() === 'win32') return;
  // The database itself may be a link to another disk. SQLite follows none in place of its companions.
  const files = [statSync(file), ...['-wal', '-shm'].map((end) => lstatSync(file + end, { throwIfNoEntry: false }))];
  for (const [index, found] of files.entries()) {
    if (found?.isFile() && (found.mode & 0o077) !== 0) chmodSync(file + ['', '-wal', '-shm'][index], 0o600);
  }
}

/**
 * Returns a function that says why a file is no longer the one that it is now; undefined if it is. SQLite itself does not notice when its
 * file is deleted or replaced: it keeps writing to the old one, which nobody can find any longer. Costs a few microseconds.
 */
export function watchFile(file: string): () => string | undefined {
  const inodeOf = () => statSync(file, { throwIfNoEntry: false })?.ino;
  const inode = inodeOf();
  return () => {
    const now = inodeOf();
    if (now === inode) return undefined;
    return `The database file ${now === undefined ? 'is gone' : 'was replaced by another one'} while the service ran.`;
  };
}

/** The size of a database with its write-ahead log, in bytes. */
export const sizeOnDisk = (file: string): number =>
  ['', '-wal'].reduce((total, end) => total + (statSync(file + end, { throwIfNoEntry: false })?.size ?? 0), 0);

/** Kysely's own tables, which are created before the first step runs. */
const SERVICE_TABLES = 'kysely_*';

/** Names of the steps that created the file's current schema. Changes nothing. */
export function takenSteps(database: Database.Database): readonly string[] {
  const hasSteps = database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(DEFAULT_MIGRATION_TABLE);
  if (!hasSteps) return [];
  return database.prepare<[], string>(`SELECT name FROM ${DEFAULT_MIGRATION_TABLE}`).pluck().all();
}

/** The same for the file `name`. Throws SetUpError if its tables belong to another program. */
export function ownSteps(database: Database.Database, name: string): readonly string[] {
  const taken = takenSteps(database);
  if (taken.length > 0) return taken;
  const foreign = database
    .prepare<[string], string>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB ?")
    .pluck()
    .get(SERVICE_TABLES);
  if (foreign === undefined) return taken;
  throw new SetUpError(
    `The file ${name} is another program's database: it has the table ${quoted(foreign)}; expected DATABASE_URL to name the service's file.`,
  );
}
