import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { SetUpError } from '../vocabulary/errors.ts';

/** A file that gets its final name once it is complete. */
export interface PartFile {
  readonly path: string;
  readonly handle: FileHandle;
  /**
   * Whether the file with this name is still the one that was created here. A later program removes what it takes for the remains of an
   * earlier one; its file is not complete yet, and must be neither renamed nor removed.
   */
  isOwn(): Promise<boolean>;
  /** What to throw if it is not. */
  readonly replaced: SetUpError;
}

/** Creates `<target>.part`, which only its owner can read, in place of one that was left behind. Throws SetUpError. */
export async function createPartFile(target: string): Promise<PartFile> {
  const path = `${target}.part`;
  const replaced = new SetUpError(`${path} is being written by another program; expected one at a time.`);
  await rm(path, { force: true });
  const handle = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? replaced : error;
  });
  const isOwn = async () => {
    // The open handle keeps the file system from giving its number to another file.
    const own = await handle.stat({ bigint: true });
    const there = await stat(path, { bigint: true }).catch(() => undefined);
    return there?.ino === own.ino && there.dev === own.dev;
  };
  return { path, handle, isOwn, replaced };
}
