import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { SetUpError } from '../vocabulary/errors.ts';
import type { BackupReport } from './backup-report.ts';
import type { DatabaseLocation } from './database-location.ts';
import { isDiskFull } from './disk-full.ts';
import type { BeforeEnd } from './part-file.ts';
import { backupPostgres, restorePostgres } from './postgres/postgres-backup.ts';
import { requireBackupOf } from './require-backup-of.ts';
import { backupSqlite, restoreSqlite } from './sqlite/sqlite-backup.ts';

export interface RestoreOptions {
  /** Whether an existing database may be moved aside. */
  readonly force: boolean;
}

/** What the process in which this runs provides. */
interface Host {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly beforeEnd: BeforeEnd;
}

/** Writes a verified copy of a database, which may be in use, to a new file, and returns what the copy contains. Throws SetUpError. */
export async function backUp(
  location: DatabaseLocation,
  target: string,
  { environment, beforeEnd }: Host,
): Promise<BackupReport> {
  const folder = dirname(target);
  const found = await stat(folder).catch(() => undefined);
  // The folder is not created here: its disk may not be mounted, and the copy would then end up on the same disk as the original.
  if (!found?.isDirectory())
    throw new SetUpError(`There is no folder ${folder}; expected the folder of the backup to exist.`);
  try {
    if (location.kind === 'postgres') return await backupPostgres(location, target, environment, beforeEnd);
    return await backupSqlite(fileOf(location.path), target, beforeEnd);
  } catch (error) {
    throw isDiskFull(error)
      ? new SetUpError(`The disk of ${target} is full: no backup was made, and nothing of it is left behind.`)
      : error;
  }
}

/**
 * Replaces the database with a verified backup. Returns what the backup contains, and the new path of an existing database. Throws
 * SetUpError.
 */
export async function restoreBackup(
  location: DatabaseLocation,
  backup: string,
  { force }: RestoreOptions,
  { environment, beforeEnd }: Host,
): Promise<BackupReport & { readonly kept: string | undefined }> {
  await requireBackupOf(location.kind, backup);
  if (location.kind === 'sqlite') {
    const file = fileOf(location.path);
    return restoreSqlite(backup, file, force, beforeEnd).catch((error: unknown) => {
      throw isDiskFull(error)
        ? new SetUpError(`The disk of ${file} is full: nothing was restored, and the existing database is unchanged.`)
        : error;
    });
  }
  return { ...(await restorePostgres(backup, location, environment, beforeEnd)), kept: undefined };
}

function fileOf(path: string): string {
  if (path !== ':memory:') return resolve(path);
  throw new SetUpError('DATABASE_URL names a database in memory; expected the file of the service.');
}
