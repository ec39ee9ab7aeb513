import { link, lstat, open, readdir, rm, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { formatInstant } from '../vocabulary/time-zone.ts';

/** The ISO day of an instant (ms) in UTC. */
const dayOfInstant = (ms: number): string => formatInstant(ms).slice(0, 10);

/** How the names of moved files end. */
const DAY = /^\.\d{4}-\d{2}-\d{2}(?:\.\d+)?$/;

/** The ISO day, in UTC, on which the first line of a file was written; undefined if there is no line that says so. */
async function firstDay(path: string): Promise<string | undefined> {
  const file = await open(path).catch(() => undefined);
  try {
    for await (const line of file?.readLines() ?? []) {
      const [, ms] = /"writtenOn":(\d{1,15})\}$/.exec(line) ?? [];
      // A kill left an incomplete line.
      if (ms !== undefined) return dayOfInstant(Number(ms));
    }
    return undefined;
  } finally {
    await file?.close();
  }
}

/**
 * Deletes old lines from the file of `SMS_GATEWAY=file:…`. Lines of an earlier day move, with those that follow them, to a file of that day,
 * such as `sms.jsonl.2026-11-22`; it is deleted when its last line was written before `until`. No file is shortened: another process may be
 * about to append to it. Instants in ms. Returns how many files were deleted.
 */
export async function forgetMessageFiles(path: string, now: number, until: number): Promise<number> {
  const first = await firstDay(path);
  if (first !== undefined && first < dayOfInstant(now)) {
    // Unlike renaming, this replaces no file. There is one already if a kill came before `unlink`.
    await link(path, `${path}.${first}`).catch((error: NodeJS.ErrnoException) =>
      error.code === 'EEXIST' ? link(path, `${path}.${first}.${now}`) : Promise.reject(error),
    );
    await unlink(path);
  }
  let deleted = 0;
  const folder = dirname(path);
  for (const name of await readdir(folder).catch(() => [])) {
    const isOurs = name.startsWith(basename(path)) && DAY.test(name.slice(basename(path).length));
    const old = join(folder, name);
    const found = isOurs ? await lstat(old) : undefined;
    if (found?.isFile() !== true || found.mtimeMs >= until) continue;
    await rm(old);
    deleted++;
  }
  return deleted;
}
