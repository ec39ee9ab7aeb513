/** What node:sqlite throws if SQLite refuses something. */
export interface SqliteError extends Error {
  readonly code: 'ERR_SQLITE_ERROR';
  /** The extended result code. Its lowest byte is the primary one. */
  readonly errcode: number;
}

/** Primary result codes, and why a call may be retried: busy and locked are temporary; the others need an operator first. */
const CODES = {
  BUSY: [5, 'timeout: another process is writing'],
  LOCKED: [6, 'timeout: another connection is writing'],
  READONLY: [8, 'read-only'],
  IOERR: [10, 'the disk failed, or a quota or ulimit -f does not let the file grow'],
  CORRUPT: [11, 'the file is damaged'],
  FULL: [13, 'disk full'],
  CANTOPEN: [14, 'the file cannot be opened'],
  NOTADB: [26, 'the file is damaged'],
} as const;

export const isSqliteError = (error: unknown): error is SqliteError =>
  error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';

const primaryCode = (error: unknown): number | undefined => (isSqliteError(error) ? error.errcode & 0xff : undefined);

/** True if SQLite failed with one of these result codes, or with an extension of it. */
export const failedWith = (error: unknown, ...names: readonly (keyof typeof CODES)[]): error is SqliteError =>
  names.some((name) => CODES[name][0] === primaryCode(error));

/** In words for the log, why the call may be retried; undefined if SQLite gives no such reason. */
export const unavailableReason = (error: unknown): string | undefined =>
  Object.values(CODES).find(([code]) => code === primaryCode(error))?.[1];

/** True if SQLite found that the file does not contain what it wrote. Waiting does not help, and a write may make it worse. */
export const isDamage = (error: unknown): boolean => failedWith(error, 'CORRUPT', 'NOTADB');

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
        if (!failedWith(error, 'BUSY', 'LOCKED') || isLate) throw error;
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
