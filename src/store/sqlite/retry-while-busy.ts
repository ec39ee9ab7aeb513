import Database from 'better-sqlite3';

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
