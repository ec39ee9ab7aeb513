import Database from 'better-sqlite3';

const isBusy = (error: unknown): boolean =>
  error instanceof Database.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code);

/**
 * Writers of other processes take turns with ours of a few milliseconds each, and the gap between two of theirs is less than one: who
 * looks seldom never meets it, and who looked more seldom the longer it waits would be passed by all that come later. Milliseconds.
 */
const PAUSE = 1;

/**
 * Does something that another process may be in the way of, again and again for at most `limit` milliseconds; then throws what
 * SQLite said. SQLite's own busy handler would hold up the event loop, and it doesn't wait in every case: not for a change of
 * the journal mode that two processes want at once.
 */
export async function retryWhileBusy<T>(limit: number, action: () => T): Promise<T> {
  let isLate = limit <= 0;
  let timer: NodeJS.Timeout | undefined;
  try {
    for (;;) {
      try {
        return action();
      } catch (error) {
        if (!isBusy(error) || isLate) throw error;
        timer ??= setTimeout(() => {
          isLate = true;
        }, limit);
        await new Promise((resume) => setTimeout(resume, PAUSE));
      }
    }
  } finally {
    clearTimeout(timer);
  }
}
