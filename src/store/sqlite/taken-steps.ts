import type Database from 'better-sqlite3';
import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration';

/** Names of the steps that brought the file's schema to where it is; only reads. */
export function takenSteps(database: Database.Database): readonly string[] {
  const hasSteps = database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(DEFAULT_MIGRATION_TABLE);
  if (!hasSteps) return [];
  return database.prepare<[], string>(`SELECT name FROM ${DEFAULT_MIGRATION_TABLE}`).pluck().all();
}
