import { readFileSync } from 'node:fs';
import { decodeText } from '../vocabulary/decode-text.ts';
import { ServiceError, SetUpError } from '../vocabulary/errors.ts';

/** White space, and the zeros that a crash leaves. */
const NOTHING = /^[\s\0]*$/;

/**
 * Reads a file that a setting names, in UTF-8 or UTF-16, without its byte order mark. Whoever names a file has set what is in it, so an
 * empty one is a mistake, never a default. Throws SetUpError with what is expected after `said`, such as `TLS_KEY=/etc/tpws/key.pem`.
 */
export function readNamedFile(said: string, path: string | URL): string {
  try {
    return namedText(path);
  } catch (error) {
    throw new SetUpError(`${said}: ${(error as Error).message}.`);
  }
}

/** Reads such a file by its path or its descriptor. Throws SetUpError with a clause that names neither. */
export function namedText(file: string | URL | number): string {
  let text: string;
  try {
    text = decodeText(readFileSync(file));
  } catch (error) {
    const what = error instanceof ServiceError ? 'is text in UTF-8 or UTF-16' : 'can be read';
    throw new SetUpError(`expected a file that ${what}`);
  }
  if (NOTHING.test(text)) throw new SetUpError('expected a file that is not empty');
  return text;
}
