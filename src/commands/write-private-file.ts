import { open, rename, rm } from 'node:fs/promises';

/** Characters written at a time. */
const CHUNK = 1 << 16;

/** Writes to a file beside it first, so that nobody finds half of it. Patients' data must not be readable by anyone else. */
export async function writePrivateFile(path: string, texts: AsyncIterable<string>): Promise<void> {
  const part = `${path}.part`;
  await rm(part, { force: true });
  const handle = await open(part, 'wx', 0o600);
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
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  await rename(part, path).catch(async (error: unknown) => {
    // On Windows while another program has the file open.
    await rm(part, { force: true });
    throw error;
  });
}
