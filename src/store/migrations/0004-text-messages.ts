import type { ColumnDataType, ColumnDefinitionBuilder, Kysely } from 'kysely';
import type { DatabaseDifferences } from '../database-differences.ts';
import type { Schema } from '../schema.ts';

const EXPIRED = 6;

/** What sending the queued messages requires; one process at a time sends them. */
export async function textMessages(db: Kysely<Schema>, { endTable, instant }: DatabaseDifferences) {
  const { schema } = db;
  const zero = (c: ColumnDefinitionBuilder) => c.notNull().defaultTo(0);
  const columns: readonly (readonly [
    name: string,
    type: ColumnDataType,
    build?: (c: ColumnDefinitionBuilder) => ColumnDefinitionBuilder,
  ])[] = [
    ['priority', 'integer', zero],
    ['due_on', instant, zero],
    ['expires_on', instant],
    ['attempts', 'integer', zero],
    ['takeovers', 'integer', zero],
    ['leased_by', 'text'],
    ['leased_until', instant],
    ['submitted_on', instant],
    ['finished_on', instant],
    ['gateway', 'text'],
    ['gateway_reference', 'text'],
    ['last_code', 'text'],
    ['header', 'text'],
    ['dlt_template_id', 'text'],
    ['principal_entity_id', 'text'],
    ['correlation_id', 'text'],
  ];
  // SQLite adds only one column per statement.
  for (const [name, type, build = (c: ColumnDefinitionBuilder) => c] of columns) {
    await schema.alterTable('message').addColumn(name, type, build).execute();
  }
  // Earlier versions did not send messages, so those that they queued may be months old and no longer wanted. A command can still send
  // them.
  await db
    .updateTable('message')
    .set((row) => ({ status: EXPIRED, finished_on: row.ref('queued_on'), last_code: 'never-sent' }))
    .execute();
  await schema.createIndex('message_by_due').on('message').columns(['status', 'priority', 'due_on', 'id']).execute();
  await schema.createIndex('message_by_expiry').on('message').columns(['status', 'expires_on']).execute();
  await schema.createIndex('message_by_age').on('message').columns(['status', 'queued_on']).execute();
  await schema.createIndex('message_by_reference').on('message').columns(['gateway_reference', 'id']).execute();
  await endTable(
    schema
      .createTable('gateway_lease')
      .addColumn('name', 'text', (c) => c.primaryKey().notNull())
      .addColumn('holder', 'text')
      .addColumn('leased_until', instant, zero),
  ).execute();
}
