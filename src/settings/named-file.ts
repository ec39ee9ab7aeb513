import { readFileSync } from 'node:fs';
import { SetUpError } from '../vocabulary/errors.ts';

/** White space with the byte order mark, the zeros that a crash leaves, and what UTF-16's mark is in UTF-8. */
const NOTHING = /^[\s\0\uFFFD]*$/;

/**
 * Reads a file that a setting names, without its byte order mark. Whoever names a file has set what is in it, so an empty one is a mistake,
 * never a default. Throws SetUpError with what is expected after `said`, such as `TLS_KEY=/etc/tpws/key.pem`.
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
  const text = textOf(file).replace(/^\uFEFF/, '');
  if (NOTHING.test(text)) throw new SetUpError('expected a file that is not empty');
  return text;
}

function textOf(file: string | URL | number): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new SetUpError('expected a file that can be read');
  }
}
