import Database from 'better-sqlite3';

const isBusy = (error: unknown): boolean =>
  error instanceof Database.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code);

/**
 * Does something that another process may be in the way of, again and again for at most `limit` milliseconds; then throws what
 * SQLite said. SQLite's own busy handler would hold up the event loop, and it doesn't wait in every case: not for a change of
 * the journal mode that two processes want at once.
 */
export async function retryWhileBusy<T>(limit: number, action: () => T): Promise<T> {
  for (let waited = 0, pause = 1; ; waited += pause, pause = Math.min(pause * 2, 50)) {
    try {
      return action();
    } catch (error) {
      if (!isBusy(error) || waited >= limit) throw error;
      await new Promise((resume) => setTimeout(resume, pause));
    }
  }
}
