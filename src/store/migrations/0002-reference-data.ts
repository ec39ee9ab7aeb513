import type { Kysely } from 'kysely';
import type { DatabaseDifferences } from '../database-differences.ts';
import type { Schema } from '../schema.ts';

/** Message templates. */
export async function referenceData({ schema }: Kysely<Schema>, { endTable }: DatabaseDifferences) {
  await endTable(
    schema
      .createTable('message_template')
      .addColumn('tempid', 'integer', (c) => c.primaryKey().notNull())
      .addColumn('dlt_template_id', 'text')
      .addColumn('principal_entity_id', 'text')
      .addColumn('header', 'text')
      .addColumn('category', 'text')
      .addColumn('text', 'text', (c) => c.notNull())
      .addColumn('active', 'integer', (c) => c.notNull()),
  ).execute();
}
