import { closeSync, existsSync, fdatasyncSync, openSync } from 'node:fs';
import { copyFile, link, mkdir, rename, rm } from 'node:fs/promises';
import { platform } from 'node:os';
import { dirname } from 'node:path';
import { backup as copyPages, type DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite';
import { sqliteDifferences } from '../../doctor/compare-schema.ts';
import type { DatabaseLocation, SqliteLocation } from '../../store/database-location.ts';
import { notAFile, realFile } from '../../store/file-flaw.ts';
import { type AuditEntry, auditQueries } from '../../store/queries/audit-queries.ts';
import { INTEGER_BOUNDS } from '../../store/schema.ts';
import { type SchemaState, schemaState } from '../../store/schema-state.ts';
import { AUDITED_TABLES } from '../../store/session.ts';
import {
  CACHE,
  firstColumn,
  firstValue,
  keepPrivate,
  lastNumbers,
  openFile,
  openToRead,
  ownSteps,
  takenSteps,
} from '../../store/sqlite/database-file.ts';
import { failedWith, isDamage } from '../../store/sqlite/sqlite-errors.ts';
import { sessionOf } from '../../store/sqlite/sqlite-session.ts';
import { SetUpError } from '../../vocabulary/errors.ts';
import type { CommandHost } from '../command-host.ts';
import { publishNew, writePartFile } from './part-file.ts';

export interface BackupReport {
  readonly schema: SchemaState;
  /** How the schema differs from the one that its steps create; empty if it does not. */
  readonly differences: readonly string[];
  /** Rows per table, in alphabetical order of the table names. */
  readonly rows: ReadonlyMap<string, number>;
}

/** A megabyte. After this many, the process looks for signals. */
const PAGES_AT_ONCE = 250;
/** What others refer to by number: callers, gateways, and what continues the audit trail elsewhere. */
const NUMBERED_FOR_OTHERS = [...Object.keys(AUDITED_TABLES), 'audit_event'];
/** More than a large hospital gives between two backups, and far fewer than all. */
export const NUMBER_GAP = 10_000;

type LastNumbers = ReturnType<typeof lastNumbers>;

/** The endings of the names of the files that SQLite keeps next to a database. */
const COMPANIONS = ['-wal', '-shm', '-journal'];

/** Returns the function that copies a database, which may be in use, to a file and verifies the copy. Throws SetUpError. */
export function copySqlite(
  location: SqliteLocation,
  { progress }: Pick<CommandHost, 'progress'>,
): (part: string) => Promise<BackupReport> {
  const file = fileOf(location);
  if (!existsSync(file)) throw new SetUpError(`There is no database ${file}.`);
  return async (part) => {
    const written = openSync(part, 'r+');
    const database = openToRead(file);
    try {
      ownSteps(database, file);
      // Without a snapshot, every write by the service would restart the copy. A reader does not block writers.
      database.exec('BEGIN');
      database.prepare('SELECT 1 FROM sqlite_schema').get();
      // If much had to be written at once, the commit of a booking would wait for it.
      await copyPages(database, part, {
        rate: PAGES_AT_ONCE,
        progress: ({ totalPages, remainingPages }) => {
          fdatasyncSync(written);
          progress('Copying the database', totalPages - remainingPages, totalPages);
        },
      });
    } finally {
      closeSync(written);
      database.close();
    }
    toOneFile(part);
    progress('Checking the copy');
    return verified(part, file);
  };
}

/**
 * Replaces a database that nobody has open with a backup. With `force`, it may replace an existing one, which is kept under another name.
 * Adds `row` to the audit trail. Returns what was restored and where the old one is. Throws SetUpError, in which case everything is as it was.
 */
export async function restoreBackup(
  location: DatabaseLocation,
  backup: string,
  { force }: { readonly force: boolean },
  row: AuditEntry,
  { beforeEnd, progress }: Pick<CommandHost, 'beforeEnd' | 'progress'>,
): Promise<BackupReport & { readonly kept: string | undefined }> {
  const file = fileOf(location);
  if (!existsSync(requireFile(backup))) throw new SetUpError(`There is no backup ${backup}.`);
  const isThere = existsSync(file);
  if (isThere && !force) {
    throw new SetUpError(
      `There is a database ${file} already; --force replaces it with the backup and keeps it under another name.`,
    );
  }
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const { release, last } = isThere ? lock(file) : { release: () => {}, last: [] };
  let kept: string | undefined;
  const fill = async (part: string): Promise<BackupReport> => {
    progress('Copying the backup');
    await copyFile(backup, part);
    keepPrivate(part);
    toOneFile(part);
    progress('Checking the copy');
    const report = verified(part, backup);
    if (report.schema === 'newer') {
      throw new SetUpError(`${backup} is from a newer version of the service; expected that version's command.`);
    }
    if (report.differences.length > 0) {
      throw new SetUpError(
        `The schema of ${backup} is not as the service creates it: ${report.differences.join(', ')}. Nothing was restored.`,
      );
    }
    await skipNumbers(part, last, row);
    return report;
  };
  const publish = async (part: string): Promise<void> => {
    // Windows can neither rename an open file nor replace it with another one, and our own connection has it open as well.
    if (platform() === 'win32') release();
    kept = await keepBeside(file, isThere);
    if (isThere) await replace(part, file, kept);
    // A service may have created one meanwhile.
    else await publishNew(part, file);
  };
  try {
    const report = await explained(backup, () => writePartFile(file, beforeEnd, fill, publish));
    return { ...report, kept };
  } finally {
    release();
  }
}

function fileOf(location: DatabaseLocation): string {
  if (location.kind === 'postgres') {
    throw new SetUpError(
      'DATABASE_URL names a PostgreSQL database; expected pg_restore, as docs/operators/operating.md says.',
    );
  }
  if (location.path === ':memory:') {
    throw new SetUpError('DATABASE_URL names a database in memory; expected the file of the service.');
  }
  return requireFile(realFile(location.path));
}

/** Folders, devices and pipes are left as they are. */
function requireFile(path: string): string {
  const flaw = notAFile(path);
  if (flaw === undefined) return path;
  throw new SetUpError(`${flaw}.`);
}

/** Does something with the file `name`, and explains the error if that is no sound database. */
export async function explained<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isDamage(error) ? new SetUpError(`${name} is damaged, or is not a database.`) : error;
  }
}

/** Opens a file of which nobody knows what it contains: its schema may then call only functions without side effects. */
function openForeign(file: string, options: DatabaseSyncOptions): DatabaseSync {
  const database = openFile(file, options);
  database.exec('PRAGMA trusted_schema = OFF');
  return database;
}

/** What a copy of the file `name` contains. Throws SetUpError if it is damaged, or not the service's. */
function verified(file: string, name: string): BackupReport {
  const database = openForeign(file, { readOnly: true });
  try {
    database.exec(CACHE);
    // Slow if the indexes do not fit into memory, but only this finds every entry of an index that is wrong, misplaced or of another type.
    const flaws = firstColumn<string>(database, 'PRAGMA integrity_check(3)').join('; ');
    if (flaws !== 'ok') throw new SetUpError(`${name} is damaged: ${flaws}.`);
    if (firstValue(database, 'PRAGMA foreign_key_check') !== undefined) {
      throw new SetUpError(`${name} is damaged: rows refer to rows that do not exist.`);
    }
    const taken = takenSteps(database);
    const schema = schemaState(taken);
    if (schema === 'none') throw new SetUpError(`${name} is not a database of the service.`);
    const names = firstColumn<string>(database, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
    // In a file that is not ours, a name could be SQL.
    const tables = names.filter((table) => /^(?!sqlite_|kysely_)\w+$/.test(table));
    const count = (table: string) => firstValue<number>(database, `SELECT count(*) FROM "${table}"`) ?? 0;
    const differences = schema === 'newer' ? [] : sqliteDifferences(database, taken);
    return { schema, differences, rows: new Map(tables.map((table) => [table, count(table)])) };
  } finally {
    database.close();
  }
}

/** Merges into a database the files that SQLite keeps next to it while it is in use, because a backup is a single file. */
function toOneFile(file: string): void {
  const database = openForeign(file, {});
  try {
    database.exec('PRAGMA journal_mode = DELETE');
  } finally {
    database.close();
  }
}

/**
 * Leaves out numbers that may have been given since the backup, because callers have them: a restored database must not give them to others.
 * `replaced` are the last ones of the database that it replaces, if they can be read.
 */
async function skipNumbers(file: string, replaced: LastNumbers, row: AuditEntry): Promise<void> {
  const database = openFile(file);
  try {
    const session = sessionOf(database);
    const given = [...lastNumbers(database), ...replaced];
    for (const table of NUMBERED_FOR_OTHERS) {
      const last = Math.max(0, ...given.filter(({ name }) => name === table).map((each) => each.last));
      await session.numbers.goOnAfter(table, Math.min(last + NUMBER_GAP, INTEGER_BOUNDS.greatest));
    }
    await auditQueries.add(session, row);
  } finally {
    database.close();
  }
}

/**
 * Locks everyone else out of a database, and merges it into one file; returns the function that unlocks it, and its last numbers. Throws SetUpError if another
 * process has it open, because SQLite then refuses to change the journal mode.
 */
function lock(file: string): { readonly release: () => void; readonly last: LastNumbers } {
  const database = openFile(file, { timeout: 0 });
  try {
    database.exec('PRAGMA journal_mode = DELETE; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    // Restoring is meant for damaged databases. For those, it cannot be determined whether the file is in use.
    if (isDamage(error)) return { release: () => {}, last: [] };
    throw failedWith(error, 'BUSY', 'LOCKED') ? isInUse(file) : error;
  }
  let last: LastNumbers = [];
  try {
    last = lastNumbers(database);
  } catch {
    // It is damaged, or another program's: then the gap alone must do.
  }
  return { release: () => database[Symbol.dispose](), last };
}

const isInUse = (file: string) => new SetUpError(`The database ${file} is in use; expected the service to be stopped.`);

/**
 * Gives the database a second name next to it, and takes along any companion files that a damaged or removed database left behind, because
 * SQLite would apply them to the restored one. Returns the name, if there was a database to keep.
 */
async function keepBeside(file: string, isThere: boolean): Promise<string | undefined> {
  const first = `${file}.before-restore`;
  const isTaken = (name: string) => ['', ...COMPANIONS].some((end) => existsSync(name + end));
  let kept = first;
  for (let n = 2; isTaken(kept); n++) kept = `${first}-${n}`;
  for (const end of COMPANIONS) {
    if (existsSync(file + end)) await rename(file + end, kept + end);
  }
  if (!isThere) return undefined;
  // It has two names for a moment, so that the database always exists: otherwise the service would assume that this is its first start.
  // Where a disk has no second names, this moment remains.
  await link(file, kept).catch(() => rename(file, kept));
  return kept;
}

/**
 * Gives the copy the name of the database. On Windows a service may have opened the database since the lock was released: then nothing is
 * replaced there, and the database has only its own name again.
 */
async function replace(part: string, file: string, kept: string | undefined): Promise<void> {
  try {
    await rename(part, file);
  } catch (error) {
    if (kept !== undefined) await (existsSync(file) ? rm(kept) : rename(kept, file));
    throw platform() === 'win32' && /^E(?:ACCES|BUSY|PERM)$/.test(String((error as NodeJS.ErrnoException).code))
      ? isInUse(file)
      : error;
  }
}
