import type { Kysely } from 'kysely';
import type { DatabaseDifferences } from '../database-differences.ts';
import type { Schema } from '../schema.ts';

/** The nonces of the WS-Security messages that were accepted. */
export async function access({ schema }: Kysely<Schema>, { endTable, instant }: DatabaseDifferences) {
  await endTable(
    schema
      .createTable('ws_nonce')
      .addColumn('nonce_hash', 'text', (c) => c.primaryKey().notNull())
      .addColumn('expires_on', instant, (c) => c.notNull()),
  ).execute();
  await schema.createIndex('ws_nonce_by_expiry').on('ws_nonce').columns(['expires_on']).execute();
}
