/** Error codes of Node and SQLite, and the messages of PostgreSQL's programs. */
const FULL = /^(?:ENOSPC|EDQUOT|EFBIG|SQLITE_FULL|SQLITE_IOERR_WRITE)$/;
const FULL_WORDS = /No space left on device|Disk quota exceeded/;

/** Whether a file could not be written because the disk is full. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error &&
  (FULL.test(String((error as { readonly code?: unknown }).code)) || FULL_WORDS.test(error.message));
