import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { SetUpError } from '../../vocabulary/errors.ts';

/** What everybody else on the machine may do with a file. */
const OTHERS = 0o007;

/**
 * The text of a file that holds one secret in clear, without the line end that editors put there. Throws SetUpError if others than its
 * owner and its group may read or write it (Windows has no such bits), Node's own error if it can't be read.
 */
export function readPrivateFile(path: string): string {
  const file = openSync(path, 'r');
  try {
    if (platform() !== 'win32' && (fstatSync(file).mode & OTHERS) !== 0) {
      throw new SetUpError('expected a file that only its owner and group can read, such as after chmod o-rwx');
    }
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } finally {
    closeSync(file);
  }
}
