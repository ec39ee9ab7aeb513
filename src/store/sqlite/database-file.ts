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
import { DatabaseSync, type DatabaseSyncOptions, type SQLInputValue, type SQLOutputValue } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration';
import { attempt } from '../../vocabulary/attempt.ts';
import { SetUpError } from '../../vocabulary/errors.ts';
import { quoted } from '../../vocabulary/text.ts';
import { fileFlaw, withCompanions } from '../file-flaw.ts';
import { APPOINTMENT_NUMBER, APPOINTMENTS } from '../session.ts';
import { failedWith } from './sqlite-errors.ts';

/** Why this user cannot use the file of a database, next to which SQLite creates others; undefined if nothing is known to prevent it. */
export const databaseFlaw = (file: string): string | undefined =>
  withCompanions(file)
    .map(fileFlaw)
    .find((flaw) => flaw !== undefined);

/** Gives a connection room for 16 MB of pages. */
export const CACHE = 'PRAGMA cache_size = -16000';

/** Opens a file that exists, or throws SQLite's error. The connection waits 5 s for others unless `timeout` says otherwise. */
export const openFile = (file: string, options: DatabaseSyncOptions = {}): DatabaseSync =>
  new DatabaseSync(options.readOnly ? file : existing(file), { timeout: 5000, ...options });

/** SQLite knows no other computer's name in a URI, but the path of a share on Windows, which begins with two slashes. */
const existing = (file: string): URL =>
  new URL(`${pathToFileURL(file).href.replace(/^file:\/\/(?!\/)/, 'file:////')}?mode=rw`);

/** The first column of what a query finds. */
export const firstColumn = <Value extends SQLOutputValue>(database: DatabaseSync, query: string): readonly Value[] =>
  database
    .prepare(query)
    .all()
    .map((row) => Object.values(row)[0] as Value);

/** The first column of the first row, such as the value of a PRAGMA; undefined if the query finds nothing. */
export function firstValue<Value extends SQLOutputValue>(
  database: DatabaseSync,
  query: string,
  ...parameters: readonly SQLInputValue[]
): Value | undefined {
  const row = database.prepare(query).get(...parameters);
  return row && (Object.values(row)[0] as Value);
}

/** The last number that each table has given, whether or not its row still exists. */
export const lastNumbers = (database: DatabaseSync) =>
  database
    .prepare(
      `SELECT name, seq AS last FROM sqlite_sequence UNION ALL SELECT '${APPOINTMENTS}', last_id FROM ${APPOINTMENT_NUMBER}`,
    )
    .all() as { name: string; last: number }[];

/**
 * A connection that only reads. Where this user may not create files, SQLite opens only a database that another process has open already;
 * otherwise, a temporary copy is opened, which has no name any longer and is gone with this process. Throws SQLite's error.
 */
export function openToRead(file: string): DatabaseSync {
  try {
    return readable(openFile(file, { readOnly: true }));
  } catch (error) {
    // Windows deletes no file that is open.
    if (!failedWith(error, 'CANTOPEN', 'READONLY') || platform() === 'win32') throw error;
  }
  const folder = mkdtempSync(join(tmpdir(), 'tpwebservices-'));
  try {
    const copy = join(folder, 'copy.db');
    for (const end of ['', '-wal'].filter((name) => existsSync(file + name))) {
      copyFileSync(file + end, copy + end);
      attempt(`keep others from reading ${copy}`, () => chmodSync(copy + end, 0o600));
    }
    const database = openFile(copy);
    database.exec('PRAGMA query_only = ON');
    return readable(database);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The database, once it has opened all of its files. */
function readable(database: DatabaseSync): DatabaseSync {
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
 * mode. A file that belongs to another user, as on a volume of Kubernetes, can be used nevertheless and stays as it is: `file modes` of the
 * doctor's checks warns of it.
 */
export function keepPrivate(file: string): void {
  if (platform() === 'win32') return;
  for (const path of withCompanions(file)) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (!found?.isFile() || (found.mode & 0o077) === 0) continue;
    attempt(`keep others from reading ${file}`, () => chmodSync(path, 0o600));
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
export function takenSteps(database: DatabaseSync): readonly string[] {
  if (firstValue(database, 'SELECT 1 FROM sqlite_schema WHERE name = ?', DEFAULT_MIGRATION_TABLE) === undefined)
    return [];
  return firstColumn<string>(database, `SELECT name FROM ${DEFAULT_MIGRATION_TABLE}`);
}

/** The steps that the file `name` has taken. Throws SetUpError if its tables belong to another program. */
export function ownSteps(database: DatabaseSync, name: string): readonly string[] {
  const taken = takenSteps(database);
  if (taken.length > 0) return taken;
  const tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB ?";
  const foreign = firstValue<string>(database, tables, SERVICE_TABLES);
  if (foreign === undefined) return taken;
  throw new SetUpError(
    `The file ${name} is another program's database: it has the table ${quoted(foreign)}; expected DATABASE_URL to name the service's file.`,
  );
}

/** The fact of a file that `tpws copy` has copied: where to, and when. */
export const COPIED_FACT = 'copied-to';

/** What a file with that fact says to whoever would go on with it. */
export const copiedText = (fact: string): string =>
  `The SQLite file was copied to ${fact}, and is no longer the hospital's database; expected DATABASE_URL_FILE to name the file with that one's address. To go on with the SQLite file nevertheless, run tpws copy --stay.`;

/** Throws SetUpError if the hospital has left the file, which has the service's tables, for another database. */
export function requireNotCopied(database: DatabaseSync): void {
  const fact = firstValue<string>(database, 'SELECT value FROM service_fact WHERE name = ?', COPIED_FACT);
  if (fact !== undefined) throw new SetUpError(copiedText(fact));
}
