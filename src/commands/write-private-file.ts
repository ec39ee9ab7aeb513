import { open } from 'node:fs/promises';
import { writePartFile } from '../maintenance/part-file.ts';
import type { CommandHost } from './command-host.ts';

/** Characters per write. */
const CHUNK = 1 << 16;

/**
 * Writes to another file first, so that nobody finds an incomplete one. Patient data must not be readable by anyone else, and must not be
 * left behind if a signal ends the process. Of several that write the same file at once, the last one to finish stays.
 */
export function writePrivateFile(
  path: string,
  texts: Iterable<string> | AsyncIterable<string>,
  { beforeEnd }: Pick<CommandHost, 'beforeEnd'>,
): Promise<void> {
  return writePartFile(path, beforeEnd, async (part) => {
    const handle = await open(part, 'a');
    try {
      let waiting = '';
      for await (const text of texts) {
        waiting += text;
        if (waiting.length < CHUNK) continue;
        await handle.appendFile(waiting);
        waiting = '';
      }
      await handle.appendFile(waiting);
    } finally {
      await handle.close();
    }
  });
}
