import type Database from 'better-sqlite3';
import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration';
import { ServiceError } from '../../errors.ts';
import { SCHEMA_STEPS } from '../migrate.ts';

/** Throws ServiceError `Unavailable` unless the file has the schema of this program; only reads. */
export function requireCurrentSchema(database: Database.Database, file: string): void {
  const hasSteps = database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(DEFAULT_MIGRATION_TABLE);
  const taken = hasSteps
    ? database.prepare<[], string>(`SELECT name FROM ${DEFAULT_MIGRATION_TABLE}`).pluck().all()
    : [];
  if (taken.some((step) => !SCHEMA_STEPS.includes(step))) {
    const words = `The database ${file} was brought up to date by a newer version of the service; expected that version's commands.`;
    throw new ServiceError('Unavailable', words);
  }
  if (SCHEMA_STEPS.some((step) => !taken.includes(step))) {
    const words = `The database ${file} is of an older version of the service, or empty; start the service once, which brings it up to date.`;
    throw new ServiceError('Unavailable', words);
  }
}
