import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { DatabaseDifferences } from './database-differences.ts';
import { firstLight } from './migrations/0001-first-light.ts';
import { referenceData } from './migrations/0002-reference-data.ts';
import { historyAndIdempotency } from './migrations/0003-history-and-idempotency.ts';
import { textMessages } from './migrations/0004-text-messages.ts';
import { audit } from './migrations/0005-audit.ts';
import { access } from './migrations/0006-access.ts';
import { appointmentsOfCenters } from './migrations/0007-appointments-of-centers.ts';
import { feedbackOfClients } from './migrations/0008-feedback-of-clients.ts';
import { addressesOfCallers } from './migrations/0009-addresses-of-callers.ts';
import { overlaps } from './migrations/0010-overlaps.ts';
import { checksOfTheAudit } from './migrations/0011-checks-of-the-audit.ts';
import type { Schema } from './schema.ts';

const MIGRATIONS: Readonly<Record<string, (db: Kysely<Schema>, differences: DatabaseDifferences) => Promise<void>>> = {
  '0001-first-light': firstLight,
  '0002-reference-data': referenceData,
  '0003-history-and-idempotency': historyAndIdempotency,
  '0004-text-messages': textMessages,
  '0005-audit': audit,
  '0006-access': access,
  '0007-appointments-of-centers': appointmentsOfCenters,
  '0008-feedback-of-clients': feedbackOfClients,
  '0009-addresses-of-callers': addressesOfCallers,
  '0010-overlaps': overlaps,
  '0011-checks-of-the-audit': checksOfTheAudit,
};

/** Names of the steps that make up the schema, in order. */
export const SCHEMA_STEPS: readonly string[] = Object.keys(MIGRATIONS);

/**
 * Brings the database's schema up to date, and returns the names of the steps that were missing. Throws if a step fails. If Kysely neither
 * locks the database nor uses a transaction for it, the caller must do so.
 */
export async function migrate(db: Kysely<Schema>, differences: DatabaseDifferences): Promise<readonly string[]> {
  const migrations: Record<string, Migration> = Object.fromEntries(
    Object.entries(MIGRATIONS).map(([name, up]) => [
      name,
      { up: (untyped: Kysely<unknown>) => up(untyped as Kysely<Schema>, differences) },
    ]),
  );
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return results.map(({ migrationName }) => migrationName);
}
