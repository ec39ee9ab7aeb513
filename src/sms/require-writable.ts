import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { SetUpError } from '../vocabulary/errors.ts';

/** Throws SetUpError unless the message file can be written, or can be created with its folders. Creates neither. */
export function requireWritable(path: string): void {
  let place = resolve(path);
  const isThere = existsSync(place);
  while (!existsSync(place)) place = dirname(place);
  const flaw = flawOf(place, isThere);
  if (flaw !== undefined) throw new SetUpError(`SMS_GATEWAY=file:${path}: ${place} ${flaw}.`);
}

function flawOf(place: string, isFile: boolean): string | undefined {
  const isFolder = statSync(place).isDirectory();
  if (isFile && isFolder) return 'is a folder; expected a file';
  if (!isFile && !isFolder) return 'is a file; expected a folder';
  try {
    accessSync(place, isFile ? constants.W_OK : constants.W_OK | constants.X_OK);
    return undefined;
  } catch {
    return 'cannot be written by this user';
  }
}
