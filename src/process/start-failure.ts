import { ConfigError } from '../settings/config.ts';
import { ERROR_CODES, ServiceError, SetUpError } from '../vocabulary/errors.ts';

/** Errors of the operating system or the database, explained to the person who set up the service. */
const SET_UP: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: 'HOST is not an address of this machine',
  ENOTFOUND: 'HOST cannot be resolved',
  EACCES: 'Permission denied',
  EPERM: 'Permission denied',
  EBUSY: 'Another program has the file open',
  EISDIR: 'The file is a folder',
  EROFS: 'The disk is read-only',
  ENOSPC: 'The disk is full',
  SQLITE_NOTADB: 'The file of DATABASE_URL is not a database',
  SQLITE_CANTOPEN: 'The file of DATABASE_URL cannot be opened',
  SQLITE_READONLY: 'The file of DATABASE_URL is read-only',
  SQLITE_BUSY: 'The database is busy with another program',
  SQLITE_CORRUPT: 'The file of DATABASE_URL is damaged',
};

/** Why the service did not start. Configuration errors are explained; anything else is an internal error, with its stack. */
export function startFailure(error: unknown): string {
  if (error instanceof ConfigError || error instanceof SetUpError) return error.message;
  if (error instanceof ServiceError && error.code === 'Unavailable') return unavailableText(error);
  if (!(error instanceof Error)) return String(error);
  const code = String((error as NodeJS.ErrnoException).code);
  // SQLite may append to its own code, as in SQLITE_CANTOPEN_ISDIR.
  const explanation = SET_UP[code] ?? SET_UP[/^SQLITE_[A-Z]+/.exec(code)?.[0] ?? ''];
  return explanation === undefined ? (error.stack ?? String(error)) : `${explanation}: ${error.message}`;
}

/** A sentence that names the database says everything; the one for callers does not. */
const unavailableText = ({ message, cause }: ServiceError): string =>
  message === ERROR_CODES.Unavailable && cause instanceof Error
    ? `The database cannot be used: ${cause.message}`
    : message;
