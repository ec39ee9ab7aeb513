import type { Kysely } from 'kysely';
import type { DatabaseDifferences } from '../database-differences.ts';
import type { Schema } from '../schema.ts';

/**
 * Feedback belongs to the client that sent it, and rows of the audit trail cannot be replaced. The sender of existing feedback is unknown;
 * without a clients file, it was the client without a name.
 */
export async function feedbackOfClients(db: Kysely<Schema>, { refuseReplacing }: DatabaseDifferences) {
  await db.schema
    .alterTable('feedback')
    .addColumn('client', 'text', (c) => c.notNull().defaultTo('anonymous'))
    .execute();
  await refuseReplacing(db, 'audit_event');
}
