import { constants } from 'node:fs';
import { chmod, copyFile, link, mkdir, rename, rm, stat } from 'node:fs/promises';
import { platform } from 'node:os';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { SetUpError } from '../../vocabulary/errors.ts';
import type { BackupReport } from '../backup-report.ts';
import { type BeforeEnd, DATABASE_ENDS, removeDatabase, writeNewFile } from '../part-file.ts';
import { schemaState } from '../schema-state.ts';
import { fileToDisk, folderToDisk } from '../to-disk.ts';
import { ownSteps, takenSteps } from './taken-steps.ts';

/** After this many, the process looks for signals. */
const PAGES_AT_ONCE = 1000;
const NOT_A_DATABASE = /^SQLITE_(?:NOTADB|CORRUPT)/;

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/**
 * Copies a database, which may be in use, to a new file that only its owner can read, and returns what the copy contains. It contains every
 * row that was committed before the call. Throws SetUpError, in which case there is no file.
 */
export async function backupSqlite(file: string, target: string, beforeEnd: BeforeEnd): Promise<BackupReport> {
  if (!(await exists(file))) throw new SetUpError(`There is no database ${file}.`);
  return writeNewFile(target, beforeEnd, async (part) => {
    try {
      const database = new Database(file, { readonly: true, fileMustExist: true });
      try {
        ownSteps(database, file);
        // Without a snapshot, every write by the service would restart the copy. A reader does not block writers.
        database.exec('BEGIN');
        database.prepare('SELECT 1 FROM sqlite_schema').get();
        await database.backup(part, { progress: () => PAGES_AT_ONCE });
      } finally {
        database.close();
      }
      toOneFile(part);
      return verifySqlite(part, file);
    } catch (error) {
      throw worded(error, file);
    }
  });
}

/**
 * Replaces a database that nobody has open with a backup. An existing database is kept next to it, if `force` allows that. Returns what was
 * restored and where the old one is. Throws SetUpError, in which case everything is as it was.
 */
export async function restoreSqlite(
  backup: string,
  file: string,
  force: boolean,
  beforeEnd: BeforeEnd,
): Promise<BackupReport & { readonly kept: string | undefined }> {
  if (!(await exists(backup))) throw new SetUpError(`There is no backup ${backup}.`);
  const isThere = await exists(file);
  if (isThere && !force) {
    throw new SetUpError(
      `There is a database ${file} already; --force replaces it with the backup and keeps it under another name.`,
    );
  }
  const part = `${file}.part`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  removeDatabase(part);
  const ended = beforeEnd(() => removeDatabase(part));
  const release = isThere ? lockSqlite(file) : () => {};
  try {
    await copyFile(backup, part, constants.COPYFILE_EXCL);
    await chmod(part, 0o600);
    toOneFile(part);
    const report = verifySqlite(part, backup);
    if (report.schema === 'newer') {
      throw new SetUpError(`${backup} is from a newer version of the service; expected that version's command.`);
    }
    await fileToDisk(part);
    // Windows can neither rename an open file nor replace it with another one, and our own connection has it open as well.
    if (platform() === 'win32') release();
    const kept = await keepBeside(file, isThere);
    if (isThere) await replace(part, file, kept);
    else await linkNew(part, file);
    await folderToDisk(dirname(file));
    return { ...report, kept };
  } catch (error) {
    throw worded(error, backup);
  } finally {
    release();
    removeDatabase(part);
    ended();
  }
}

/** What a copy of the file `name` contains. Throws SetUpError if it is damaged, or not the service's. */
function verifySqlite(file: string, name: string): BackupReport {
  const database = new Database(file, { readonly: true, fileMustExist: true });
  try {
    const flaws = database.pragma('integrity_check(3)') as readonly { readonly integrity_check: string }[];
    if (flaws[0]?.integrity_check !== 'ok') {
      const words = flaws.map(({ integrity_check }) => integrity_check).join('; ');
      throw new SetUpError(`${name} is damaged: ${words}.`);
    }
    if ((database.pragma('foreign_key_check') as readonly unknown[]).length > 0) {
      throw new SetUpError(`${name} is damaged: rows refer to rows that do not exist.`);
    }
    const names = database
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .pluck()
      .all();
    const schema = schemaState(takenSteps(database));
    if (schema === 'none') throw new SetUpError(`${name} is not a database of the service.`);
    const tables = names.filter((name) => !/^(?:sqlite|kysely)_/.test(name));
    const count = (table: string) => database.prepare<[], number>(`SELECT count(*) FROM "${table}"`).pluck().get() ?? 0;
    return { schema, rows: new Map(tables.map((table) => [table, count(table)])) };
  } finally {
    database.close();
  }
}

/** Merges into a database the files that SQLite keeps next to it while it is in use, because a backup is a single file. */
function toOneFile(file: string): void {
  const database = new Database(file, { fileMustExist: true });
  try {
    database.pragma('journal_mode = DELETE');
  } finally {
    database.close();
  }
}

/**
 * Locks everyone else out of a database, and merges it into one file; returns the function that unlocks it. Throws SetUpError if another
 * process has it open, because SQLite then refuses to change the journal mode.
 */
function lockSqlite(file: string): () => void {
  const database = new Database(file, { timeout: 0, fileMustExist: true });
  try {
    database.pragma('journal_mode = DELETE');
    database.pragma('locking_mode = EXCLUSIVE');
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    const { code = '' } = error as { readonly code?: string };
    // Restoring is meant for damaged databases. For those, it cannot be determined whether the file is in use.
    if (NOT_A_DATABASE.test(code)) return () => {};
    if (!/^SQLITE_(?:BUSY|LOCKED)/.test(code)) throw error;
    throw new SetUpError(inUse(file));
  }
  return () => database.close();
}

const inUse = (file: string) => `The database ${file} is in use; expected the service to be stopped.`;

/**
 * Gives the database a second name next to it, and moves any companion files that a damaged or removed database left behind, because SQLite
 * would apply them to the restored one. Returns the name, if there was a database to keep.
 */
async function keepBeside(file: string, isThere: boolean): Promise<string | undefined> {
  const first = `${file}.before-restore`;
  const isTaken = async (name: string) =>
    (await Promise.all(['', ...DATABASE_ENDS].map((end) => exists(name + end)))).includes(true);
  let kept = first;
  for (let n = 2; await isTaken(kept); n++) kept = `${first}-${n}`;
  for (const end of DATABASE_ENDS) {
    if (await exists(file + end)) await rename(file + end, kept + end);
  }
  if (!isThere) return undefined;
  // It has two names for a moment, so that the database always exists: otherwise the service would assume that this is its first start.
  await link(file, kept);
  return kept;
}

/**
 * Gives the copy the name of the database. On Windows a service may have opened the database since the lock was released: then nothing is
 * replaced there, and the second name of the database is removed again.
 */
async function replace(part: string, file: string, kept: string | undefined): Promise<void> {
  try {
    await rename(part, file);
  } catch (error) {
    if (kept !== undefined) await rm(kept);
    const { code = '' } = error as { readonly code?: string };
    if (platform() !== 'win32' || !/^E(?:ACCES|BUSY|PERM)$/.test(code)) throw error;
    throw new SetUpError(inUse(file));
  }
}

/** Like `rename`, but does not overwrite a database that a service has created meanwhile. */
async function linkNew(part: string, file: string): Promise<void> {
  try {
    await link(part, file);
  } catch (error) {
    if ((error as { readonly code?: string }).code !== 'EEXIST') throw error;
    throw new SetUpError(`A database ${file} was created in the meantime; expected the service to be stopped.`);
  }
}

function worded(error: unknown, file: string): unknown {
  const { code = '' } = error as { readonly code?: string };
  return NOT_A_DATABASE.test(code) ? new SetUpError(`${file} is damaged, or is not a database.`) : error;
}
