import Database from 'better-sqlite3';

const isBusy = (error: unknown): boolean =>
  error instanceof Database.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code);

/**
 * Writers of other processes take turns with ours of a few milliseconds each, and the gap between two of theirs is less than one: who
 * looks seldom never meets it. Who has waited for long waits for something longer. Milliseconds.
 */
const SHORT_PAUSE = 1;
const LONG_PAUSE = 5;
const LONG_WAIT = 100;

/**
 * Does something that another process may be in the way of, again and again for at most `limit` milliseconds; then throws what
 * SQLite said. SQLite's own busy handler would hold up the event loop, and it doesn't wait in every case: not for a change of
 * the journal mode that two processes want at once.
 */
export async function retryWhileBusy<T>(limit: number, action: () => T): Promise<T> {
  for (let waited = 0; ; ) {
    try {
      return action();
    } catch (error) {
      if (!isBusy(error) || waited >= limit) throw error;
      const pause = waited < LONG_WAIT ? SHORT_PAUSE : LONG_PAUSE;
      await new Promise((resume) => setTimeout(resume, pause));
      waited += pause;
    }
  }
}
