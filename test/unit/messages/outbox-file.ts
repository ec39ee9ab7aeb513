/** What a test reads about a message in the database file of a running service. */
export interface OutboxRow {
  readonly id: number;
  /** From 1, Queued, to 8, Dead. */
  readonly status: number;
  readonly attempts: number;
  readonly takeovers: number;
  readonly last_code: string | null;
  /** The process that holds its lease; null while the service waits for a receipt in place of a lost answer. */
  readonly leased_by: string | null;
}

/** All messages of an SQLite file, oldest first. */
export function outboxRows(file: string): readonly OutboxRow[] {
  const database = openFile(file, { readOnly: true });
  try {
    return database
      .prepare('SELECT id, status, attempts, takeovers, last_code, leased_by FROM message ORDER BY id')
      .all() as unknown as OutboxRow[];
  } finally {
    database.close();
  }
}

import { openFile } from '../../../src/store/sqlite/database-file.ts';
