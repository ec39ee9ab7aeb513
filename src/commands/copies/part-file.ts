import { createWriteStream, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { link, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { platform } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { attempt } from '../../vocabulary/attempt.ts';
import { SetUpError } from '../../vocabulary/errors.ts';

/** If a signal ends the process, runs `cleanUp` before, unless the returned function has been called. */
export type BeforeEnd = (cleanUp: () => void) => () => void;

/** Writes the content of the empty file `path`, and returns what the writer of the file reports. */
type Fill<Result> = (path: string) => Promise<Result>;

type Publish = (part: string, target: string) => Promise<void>;

/** Codes of Node and SQLite (SQLITE_FULL, SQLITE_IOERR_WRITE) for a file that cannot grow. */
const DISK_FULL: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG', 13, 778];

/** The name of a target's folder, as `mkdtemp` completes it. */
const PART_FOLDER = /^(.+)\.part-\w{6}$/;

/** A folder that is more than a day old was left behind by a process that was killed. */
const ABANDONED_MS = 86_400_000;

/**
 * Writes a file that only its owner can read, by default in place of any earlier one. It is filled in a folder of its own next to the
 * target, such as `<target>.part-x7Kd2P`, so that it does not meet the file of another process, and gets its name once it is complete and on
 * the disk. If that fails or a signal ends the process, nothing is left behind. Removes what processes that were killed have left in the
 * target's folder, also of other targets: each night's backup has a name of its own. Throws SetUpError if the disk is full.
 */
export async function writePartFile<Result>(
  target: string,
  beforeEnd: BeforeEnd,
  fill: Fill<Result>,
  publish: Publish = rename,
): Promise<Result> {
  // Nothing waits between these two, because a signal could end the process there.
  const folder = mkdtempSync(`${target}.part-`);
  const ended = beforeEnd(() => rmSync(folder, { recursive: true, force: true }));
  try {
    const part = join(folder, basename(target));
    await (await open(part, 'wx', 0o600)).close();
    await removeAbandoned(folder);
    const result = await fill(part);
    // Windows requires write permission for this.
    await toDisk(part, 'r+');
    // This fails on Windows while another program has the target open.
    await publish(part, target);
    // Windows cannot do this: NTFS protects file names with its own journal. A crash within the next seconds may undo a new name.
    if (platform() !== 'win32') {
      const names = dirname(target);
      await attempt(`put the names in ${names} on the disk; a crash within the next seconds may undo them`, () =>
        toDisk(names, 'r'),
      );
    }
    return result;
  } catch (error) {
    throw isFull(error) ? new SetUpError(`The disk of ${target} is full: nothing was written there.`) : error;
  } finally {
    await rm(folder, { recursive: true, force: true });
    ended();
  }
}

/** Writes a file that must not exist yet, not even when it is complete. Throws SetUpError if it does. */
export async function writeNewFile<Result>(target: string, beforeEnd: BeforeEnd, fill: Fill<Result>): Promise<Result> {
  requireFree(target);
  return writePartFile(target, beforeEnd, fill, publishNew);
}

/** Writes texts to a file that only its owner can read, as `writePartFile` does. Of several that do so at once, the last one to finish stays. */
export const writePrivateFile = (
  path: string,
  texts: Iterable<string> | AsyncIterable<string>,
  { beforeEnd }: { readonly beforeEnd: BeforeEnd },
): Promise<void> => writePartFile(path, beforeEnd, (part) => pipeline(texts, createWriteStream(part, { flags: 'a' })));

/** Waits until the content of a file, or the names in a folder, are on the disk. */
async function toDisk(path: string, flags: string): Promise<void> {
  const handle = await open(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isFull(error: unknown): boolean {
  const { code, errcode = code } = error as { readonly code?: unknown; readonly errcode?: unknown };
  return DISK_FULL.includes(errcode);
}

async function removeAbandoned(own: string): Promise<void> {
  const parent = dirname(own);
  // The file system's clock, which may be that of another machine.
  const { mtimeMs: now } = await stat(own);
  for (const name of await readdir(parent)) {
    const [, target] = PART_FOLDER.exec(name) ?? [];
    const folder = join(parent, name);
    if (target === undefined || !existsSync(join(folder, target))) continue;
    // Another process may remove it at this moment.
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: now }));
    // It may be another user's.
    if (now - mtimeMs > ABANDONED_MS)
      await attempt(`remove ${folder}`, () => rm(folder, { recursive: true, force: true }));
  }
}

/** Gives a file its name without replacing another one. Throws SetUpError if there is one. */
export async function publishNew(part: string, target: string): Promise<void> {
  try {
    await link(part, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw taken(target);
    // Not every file system has links, for example on a network share. A target that is created at this very moment would be replaced.
    requireFree(target);
    await rename(part, target);
  }
}

function requireFree(target: string): void {
  if (existsSync(target)) throw taken(target);
}

const taken = (target: string) => new SetUpError(`${target} exists already; expected the name of a new file.`);
