import { fstatSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SetUpError } from '../vocabulary/errors.ts';
import { folderToDisk } from './to-disk.ts';

/** If a signal ends the process, runs `cleanUp` before, unless the returned function has been called. */
export type BeforeEnd = (cleanUp: () => void) => () => void;

/** The endings of the names of the files that SQLite keeps next to a database. */
export const DATABASE_ENDS = ['-wal', '-shm', '-journal'];

/**
 * Writes `<target>.part`, which only its owner can read, in place of one that was left behind; it gets its final name once `fill` has
 * completed it and it is on the disk. If that fails or a signal ends the process, nothing is left behind. Throws SetUpError if another
 * program began to write the same file in the meantime: that program took this one's file for the remains of an earlier one and removed
 * it; its own is not complete yet, and is neither renamed nor removed.
 */
export async function writePartFile<Result>(
  target: string,
  beforeEnd: BeforeEnd,
  fill: (path: string, handle: FileHandle) => Promise<Result>,
): Promise<Result> {
  const path = `${target}.part`;
  const replaced = new SetUpError(`${path} is being written by another program; expected one at a time.`);
  let handle: FileHandle | undefined;
  // The open handle keeps the file system from giving its number to another file. Nothing here waits, because a signal ends the process.
  const isOwn = () => {
    if (handle === undefined) return true;
    const own = fstatSync(handle.fd, { bigint: true });
    const there = statSync(path, { bigint: true, throwIfNoEntry: false });
    return there?.ino === own.ino && there.dev === own.dev;
  };
  await rm(path, { force: true });
  const ended = beforeEnd(() => {
    if (isOwn()) removeDatabase(path);
  });
  let result: Result;
  try {
    handle = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? replaced : error;
    });
    result = await fill(path, handle);
    await handle.sync();
    if (!isOwn()) throw replaced;
    // This fails on Windows while another program has the target open.
    await rename(path, target);
  } catch (error) {
    // What it could not create is another program's.
    if (handle === undefined) throw error;
    if (!isOwn()) throw replaced;
    removeDatabase(path);
    throw error;
  } finally {
    ended();
    await handle?.close();
  }
  await folderToDisk(dirname(target));
  return result;
}

/** Removes a file and, if it is a database, the files that SQLite keeps next to it. */
export function removeDatabase(file: string): void {
  for (const end of ['', ...DATABASE_ENDS]) rmSync(file + end, { force: true });
}
