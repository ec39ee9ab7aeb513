/** Node's and SQLite's codes, and what PostgreSQL's programs say. */
const FULL = /^(?:ENOSPC|EDQUOT|EFBIG|SQLITE_FULL|SQLITE_IOERR_WRITE)$/;
const FULL_WORDS = /No space left on device|Disk quota exceeded/;

/** Whether a file could not be written for want of space. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error &&
  (FULL.test(String((error as { readonly code?: unknown }).code)) || FULL_WORDS.test(error.message));
