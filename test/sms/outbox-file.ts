import Database from 'better-sqlite3';

/** What a test reads of a message in the database file of a service that runs. */
export interface OutboxRow {
  readonly id: number;
  /** 1 Queued to 8 Dead. */
  readonly status: number;
  readonly attempts: number;
  readonly takeovers: number;
  readonly last_code: string | null;
  /** The process that has it; null while an answer that got lost is waited for. */
  readonly leased_by: string | null;
}

/** All messages of a SQLite file, oldest first. */
export function outboxRows(file: string): readonly OutboxRow[] {
  const database = new Database(file, { readonly: true });
  try {
    return database
      .prepare('SELECT id, status, attempts, takeovers, last_code, leased_by FROM message ORDER BY id')
      .all() as OutboxRow[];
  } finally {
    database.close();
  }
}
