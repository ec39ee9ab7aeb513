import Database from 'better-sqlite3';

/** SQLite's primary result codes: busy and locked are temporary; the others need an operator, but a caller may still retry later. */
const REASONS = Object.entries({
  SQLITE_BUSY: 'timeout: another process is writing',
  SQLITE_LOCKED: 'timeout: another connection is writing',
  SQLITE_FULL: 'disk full',
  SQLITE_IOERR: 'the disk failed',
  SQLITE_READONLY: 'read-only',
  SQLITE_CANTOPEN: 'the file cannot be opened',
  SQLITE_CORRUPT: 'the file is damaged',
  SQLITE_NOTADB: 'the file is damaged',
});

/** In words for the log, why the call may be retried; undefined if SQLite gives no such reason. */
export const unavailableReason = (error: unknown): string | undefined =>
  error instanceof Database.SqliteError
    ? REASONS.find(([beginning]) => error.code.startsWith(beginning))?.[1]
    : undefined;

/** True if SQLite found that the file does not contain what it wrote. Waiting does not help, and a write may make it worse. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);

const isBusy = (error: unknown): boolean =>
  error instanceof Database.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code);

/**
 * Writers of other processes alternate with ours, taking a few milliseconds each, with gaps of less than one between them. A process that
 * polls rarely would never hit a gap, and one with increasing pauses would be overtaken by all later ones.
 */
const PAUSE_MS = 1;

/**
 * Does something that another process may block, retrying for at most `limitMs`; after that, throws SQLite's error. SQLite's own
 * busy handler would block the event loop, and it doesn't wait in every case: for example, not for a change of the journal mode that two
 * processes request at the same time.
 */
export async function retryWhileBusy<T>(limitMs: number, action: () => T): Promise<T> {
  let isLate = limitMs <= 0;
  let timer: NodeJS.Timeout | undefined;
  try {
    for (;;) {
      try {
        return action();
      } catch (error) {
        if (!isBusy(error) || isLate) throw error;
        timer ??= setTimeout(() => {
          isLate = true;
        }, limitMs);
        await new Promise((resume) => setTimeout(resume, PAUSE_MS));
      }
    }
  } finally {
    clearTimeout(timer);
  }
}
