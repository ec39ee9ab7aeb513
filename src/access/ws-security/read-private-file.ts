import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { SetUpError } from '../../vocabulary/errors.ts';

/** Permission bits of all other users of the machine. */
const OTHERS = 0o007;

/**
 * The text of a file that contains one secret in plain text, without the line end that editors add. Throws SetUpError if anyone but its
 * owner and its group may read or write it (Windows has no such bits), and Node's own error if it cannot be read.
 */
export function readPrivateFile(path: string): string {
  const file = openSync(path, 'r');
  try {
    if (platform() !== 'win32' && (fstatSync(file).mode & OTHERS) !== 0) {
      throw new SetUpError('expected a file that only its owner and group can read, for example after chmod o-rwx');
    }
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } finally {
    closeSync(file);
  }
}
