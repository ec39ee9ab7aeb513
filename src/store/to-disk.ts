import { open } from 'node:fs/promises';

/** Waits until a file is on the disk, or a folder with the names of its files. */
export async function toDisk(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
