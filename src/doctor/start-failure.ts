import { ConfigError } from '../settings/config.ts';
import { unavailableReason } from '../store/postgres/postgres-errors.ts';
import { failedWith, isSqliteError } from '../store/sqlite/sqlite-errors.ts';
import { ERROR_CODES, ServiceError, SetUpError } from '../vocabulary/errors.ts';

/** Codes of errors of the operating system, whose messages say what is wrong with the setup. Node's own begin with `ERR_`. */
const OF_THE_SYSTEM = /^E[A-Z]+$/;

/** Why the service did not start. Mistakes in the setup are explained; anything else is an internal error, with its stack. */
export function startFailure(error: unknown): string {
  if (error instanceof ConfigError || error instanceof SetUpError) return error.message;
  if (error instanceof ServiceError && error.code === 'Unavailable') return unavailableText(error);
  if (!(error instanceof Error)) return String(error);
  if (OF_THE_SYSTEM.test(String((error as NodeJS.ErrnoException).code))) return error.message;
  const isOfDatabase = isSqliteError(error) || unavailableReason(error) !== undefined;
  return isOfDatabase ? databaseText(error) : (error.stack ?? String(error));
}

/** A sentence that names the database says everything; the one for callers does not. */
const unavailableText = ({ message, cause }: ServiceError): string =>
  message === ERROR_CODES.Unavailable && cause instanceof Error ? databaseText(cause) : message;

/** SQLite does not say which disk is full: it sorts, and keeps what an import reads, in temporary files, which are gone by now. */
function databaseText(error: Error): string {
  // Also if a file next to the database cannot be made larger.
  if (failedWith(error, 'IOERR'))
    return `The disk of the database is full, failed, or is limited by a quota or ulimit -f: SQLite's code ${error.errcode}.`;
  if (!failedWith(error, 'FULL')) return `The database cannot be used: ${error.message}`;
  return 'The disk of the database is full, or that of temporary files (SQLITE_TMPDIR, or else TMPDIR or /var/tmp; on Windows TMP): free some space there.';
}
