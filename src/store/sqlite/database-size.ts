import type Database from 'better-sqlite3';

/** The size of a database according to SQLite, in bytes. */
export function databaseSize(database: Database.Database): number {
  const pragma = (name: string) => Number(database.pragma(name, { simple: true }));
  return pragma('page_count') * pragma('page_size');
}

/** The same for a file that has shrunk. If SQLite cannot read it, its size is not what it should be. */
export function sizeAfterChange(database: Database.Database): number {
  try {
    return databaseSize(database);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
