import type { Kysely } from 'kysely';
import type { DatabaseDifferences } from '../database-differences.ts';
import type { Schema } from '../schema.ts';

/** The history of each appointment, and the answer that was sent for each Idempotency-Key. */
export async function historyAndIdempotency(
  db: Kysely<Schema>,
  { endTable, countedKey, instant, wallMinute, makeAppendOnly }: DatabaseDifferences,
) {
  const { schema } = db;
  await endTable(
    schema
      .createTable('appointment_history')
      .addColumn('id', 'integer', countedKey)
      .addColumn('appointment_id', 'integer', (c) => c.notNull().references('appointment.id'))
      .addColumn('happened_on', instant, (c) => c.notNull())
      .addColumn('move_name', 'text', (c) => c.notNull())
      .addColumn('from_status', 'integer')
      .addColumn('to_status', 'integer', (c) => c.notNull())
      .addColumn('from_at', wallMinute)
      .addColumn('to_at', wallMinute, (c) => c.notNull())
      .addColumn('transport', 'text', (c) => c.notNull())
      .addColumn('correlation_id', 'text', (c) => c.notNull()),
  ).execute();
  await schema
    .createIndex('appointment_history_by_appointment')
    .on('appointment_history')
    .columns(['appointment_id', 'id'])
    .execute();
  await makeAppendOnly(db, 'appointment_history');
  await endTable(
    schema
      .createTable('idempotency_key')
      .addColumn('key', 'text', (c) => c.primaryKey().notNull())
      .addColumn('fingerprint', 'text', (c) => c.notNull())
      .addColumn('answer', 'text', (c) => c.notNull())
      .addColumn('used_on', instant, (c) => c.notNull()),
  ).execute();
  await schema.createIndex('idempotency_key_by_age').on('idempotency_key').columns(['used_on']).execute();
}
