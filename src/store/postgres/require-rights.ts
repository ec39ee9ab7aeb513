import type pg from 'pg';
import { SetUpError } from '../../vocabulary/errors.ts';
import type { Schema } from '../schema.ts';

/**
 * The tables into which calls insert rows. A service whose role lacks that right would report that it is ready, and then fail every call.
 */
const WRITTEN: readonly (keyof Schema)[] = [
  'appointment',
  'audit_event',
  'day_token',
  'feedback',
  'idempotency_key',
  'message',
  'ws_nonce',
];

/** Why a connection's user cannot serve calls, without a final period; undefined if it can. The schema must be current. */
export async function missingRights(client: pg.PoolClient): Promise<string | undefined> {
  const { rows } = await client.query<{ table: string }>(
    `SELECT "table" FROM unnest($1::text[]) AS "table"
      WHERE NOT has_table_privilege(quote_ident("table"), 'SELECT') OR NOT has_table_privilege(quote_ident("table"), 'INSERT')`,
    [WRITTEN],
  );
  if (rows.length === 0) return undefined;
  return `this user may not add rows to ${rows.map(({ table }) => table).join(', ')}; grant it these rights again, as docs/audit.md says`;
}

/** Throws SetUpError if calls would fail. */
export async function requireRights(client: pg.PoolClient, database: string): Promise<void> {
  const reason = await missingRights(client);
  if (reason !== undefined) throw new SetUpError(`The database ${database}: ${reason}, then start the service again.`);
}
