import { statfsSync } from 'node:fs';

const FOLDER = '/dev/shm';
/** Bytes; the tests use a few megabytes at a time. Containers often have 64 MB in all. */
const LEAST_FREE = 256 * 1024 * 1024;

/** Linux's folder for files in memory, if there is one with enough room. */
export function memoryFolder(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(FOLDER);
    return bavail * bsize >= LEAST_FREE ? FOLDER : undefined;
  } catch {
    return undefined;
  }
}
