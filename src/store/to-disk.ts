import { open } from 'node:fs/promises';
import { platform } from 'node:os';

/** Waits until the content of a file is on the disk. Windows requires write permission for this. */
export const fileToDisk = (path: string): Promise<void> => toDisk(path, 'r+');

/**
 * Waits until a folder and the names of its files are on the disk. Windows has no such call: NTFS protects file names with its own journal,
 * but a crash within the next seconds may undo a new name.
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
