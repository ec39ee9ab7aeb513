import { open } from 'node:fs/promises';
import { platform } from 'node:os';

/** Waits until the content of a file is on the disk. Windows asks for the right to write to it. */
export const fileToDisk = (path: string): Promise<void> => toDisk(path, 'r+');

/**
 * Waits until a folder is on the disk with the names of its files. Windows has no such call: NTFS keeps its names whole by a journal of
 * its own, but a crash within the next seconds may take a new name back.
 */
export async function folderToDisk(path: string): Promise<void> {
  if (platform() !== 'win32') await toDisk(path, 'r');
}

async function toDisk(path: string, flags: string): Promise<void> {
  const handle = await open(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
