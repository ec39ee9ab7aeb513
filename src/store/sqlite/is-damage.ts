import Database from 'better-sqlite3';

/** True if SQLite found that the file does not contain what it wrote. Waiting does not help, and a write may make it worse. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);
