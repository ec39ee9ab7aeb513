import type Database from 'better-sqlite3';
import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration';
import { SetUpError } from '../../vocabulary/errors.ts';
import { shown } from '../../vocabulary/text.ts';

/** Kysely's own tables, which are created before the first step runs. */
const SERVICE_TABLES = 'kysely_*';

/** Names of the steps that created the file's current schema. Changes nothing. */
export function takenSteps(database: Database.Database): readonly string[] {
  const hasSteps = database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(DEFAULT_MIGRATION_TABLE);
  if (!hasSteps) return [];
  return database.prepare<[], string>(`SELECT name FROM ${DEFAULT_MIGRATION_TABLE}`).pluck().all();
}

/** The same for the file `name`. Throws SetUpError if its tables belong to another program. */
export function ownSteps(database: Database.Database, name: string): readonly string[] {
  const taken = takenSteps(database);
  if (taken.length > 0) return taken;
  const foreign = database
    .prepare<[string], string>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB ?")
    .pluck()
    .get(SERVICE_TABLES);
  if (foreign === undefined) return taken;
  throw new SetUpError(
    `The file ${name} is another program's database: it has the table ${shown(foreign)}; expected DATABASE_URL to name the service's file.`,
  );
}
