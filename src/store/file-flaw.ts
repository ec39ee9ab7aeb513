import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Why this user cannot write to the file at an absolute path, or create it with its folders: a clause that begins with the path in
 * question. undefined if nothing is known to prevent it. Changes nothing. The superuser may write to every file, so it is important to
 * that user that folders and devices are refused here.
 */
export function fileFlaw(path: string): string | undefined {
  const other = notAFile(path);
  if (other !== undefined) return other;
  const isThere = existsSync(path);
  let place = path;
  while (!existsSync(place)) place = dirname(place);
  if (!isThere && !statSync(place).isDirectory()) return `${place} is a file; expected a folder`;
  try {
    accessSync(place, isThere ? constants.W_OK : constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const isReadOnly = (error as NodeJS.ErrnoException).code === 'EROFS';
    return `${place} ${isReadOnly ? 'is on a file system that is read-only' : 'cannot be written by this user'}`;
  }
}

/** The file to which a path leads through links, if it exists: SQLite keeps its companion files next to it. */
export function realFile(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path);
}

/** A database and the files that SQLite keeps next to it while it is in use. */
export const withCompanions = (file: string): readonly string[] => [file, `${file}-wal`, `${file}-shm`];

/** What an existing path is, in such a clause, unless it is a file or a link to one. */
export function notAFile(path: string): string | undefined {
  const found = existsSync(path) ? statSync(path) : undefined;
  if (found === undefined || found.isFile()) return undefined;
  return `${path} is ${found.isDirectory() ? 'a folder' : 'a device or a pipe'}; expected a file`;
}
