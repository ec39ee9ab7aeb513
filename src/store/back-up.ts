import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { SetUpError } from '../vocabulary/errors.ts';
import type { BackupReport } from './backup-report.ts';
import type { DatabaseLocation } from './open-store.ts';
import { backupPostgres, restorePostgres } from './postgres/postgres-backup.ts';
import { backupSqlite, restoreSqlite } from './sqlite/sqlite-backup.ts';

export interface RestoreOptions {
  /** Whether a database that is there may be moved aside. */
  readonly force: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Writes a verified copy of a database that may be in use to a new file, and gives what the copy holds. Throws SetUpError. */
export async function backUp(
  location: DatabaseLocation,
  target: string,
  environment: Environment,
): Promise<BackupReport> {
  const folder = dirname(target);
  const found = await stat(folder).catch(() => undefined);
  // Not made here: it may be a disk that is not mounted, and the copy would lie on the one that it is a copy of.
  if (!found?.isDirectory()) throw new SetUpError(`There is no folder ${folder}; expected the backup's to be there.`);
  if (location.kind === 'postgres') return backupPostgres(location, target, environment);
  return backupSqlite(fileOf(location.path), target);
}

/** Puts a verified backup in the database's place; gives what it holds, and where an earlier database was moved. Throws SetUpError. */
export async function restoreBackup(
  location: DatabaseLocation,
  backup: string,
  { force }: RestoreOptions,
  environment: Environment,
): Promise<BackupReport & { readonly kept: string | undefined }> {
  if (location.kind === 'sqlite') return restoreSqlite(backup, fileOf(location.path), force);
  return { ...(await restorePostgres(backup, location, environment)), kept: undefined };
}

function fileOf(path: string): string {
  if (path !== ':memory:') return resolve(path);
  throw new SetUpError('DATABASE_URL names a database in memory; expected the file of the service.');
}
