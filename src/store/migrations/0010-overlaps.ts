import type { Kysely } from 'kysely';
import type { DatabaseDifferences } from '../database-differences.ts';
import type { Schema } from '../schema.ts';

/**
 * Appointments imported from an old system may overlap in ways that this service would not have allowed. They are marked, and the guards
 * accept them as they are. Nothing else may overlap, not even with a marked appointment.
 */
export async function overlaps(db: Kysely<Schema>, { guardOverlaps }: DatabaseDifferences) {
  await db.schema
    .alterTable('appointment')
    .addColumn('marked', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await guardOverlaps(db, { lastHoldingStatus: 4, longestSlot: 240 });
}
