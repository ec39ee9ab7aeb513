import { rmSync } from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { ServiceError } from '../vocabulary/errors.ts';
import type { CommandHost } from './command-host.ts';

/** Characters per write. */
const CHUNK = 1 << 16;

/**
 * Writes to a file next to it first, so that nobody finds an incomplete one. Patient data must not be readable by anyone else, and must not
 * be left behind if a signal ends the process. Throws ServiceError `Unavailable` if another program began to write the same file in the
 * meantime, which then owns it.
 */
export async function writePrivateFile(
  path: string,
  texts: AsyncIterable<string>,
  { beforeEnd }: Pick<CommandHost, 'beforeEnd'>,
): Promise<void> {
  const part = `${path}.part`;
  await rm(part, { force: true });
  const handle = await open(part, 'wx', 0o600);
  const ended = beforeEnd(() => rmSync(part, { force: true }));
  try {
    try {
      let waiting = '';
      for await (const text of texts) {
        waiting += text;
        if (waiting.length < CHUNK) continue;
        await handle.appendFile(waiting);
        waiting = '';
      }
      await handle.appendFile(waiting);
      await handle.sync();
      await requireOwn(handle, part);
    } finally {
      await handle.close();
    }
    // This fails on Windows while another program has the file open.
    await rename(part, path);
  } catch (error) {
    if (!(error instanceof ReplacedError)) await rm(part, { force: true });
    throw error;
  } finally {
    ended();
  }
}

class ReplacedError extends ServiceError {}

/** A later writer removes what it takes for the remains of an earlier one. Its file is not complete yet, and must not be renamed. */
async function requireOwn(handle: FileHandle, path: string): Promise<void> {
  const own = await handle.stat({ bigint: true });
  const there = await stat(path, { bigint: true }).catch(() => undefined);
  if (there?.ino === own.ino && there.dev === own.dev) return;
  throw new ReplacedError('Unavailable', `${path} is being written by another program; expected one at a time.`);
}
