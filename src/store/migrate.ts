import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { DatabaseDifferences } from './database-differences.ts';
import { firstLight } from './migrations/0001-first-light.ts';
import type { Schema } from './schema.ts';

const MIGRATIONS: Readonly<Record<string, (db: Kysely<Schema>, differences: DatabaseDifferences) => Promise<void>>> = {
  '0001-first-light': firstLight,
};

export interface MigrateOptions {
  /** The caller has begun a transaction that no other writer gets into, and commits or rolls it back. */
  readonly withinTransaction?: boolean;
}

/** Brings the database's schema up to date; throws if a step fails, and leaves the schema as it was. */
export async function migrate(
  db: Kysely<Schema>,
  differences: DatabaseDifferences,
  { withinTransaction = false }: MigrateOptions = {},
): Promise<void> {
  const migrations: Record<string, Migration> = Object.fromEntries(
    Object.entries(MIGRATIONS).map(([name, up]) => [
      name,
      { up: (untyped: Kysely<unknown>) => up(untyped as Kysely<Schema>, differences) },
    ]),
  );
  const provider = { getMigrations: async () => migrations };
  const { error } = await new Migrator({ db, provider, disableTransactions: withinTransaction }).migrateToLatest();
  if (error !== undefined) throw error;
}
