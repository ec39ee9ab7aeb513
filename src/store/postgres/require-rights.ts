import type pg from 'pg';
import { SetUpError } from '../../vocabulary/errors.ts';
import type { Schema } from '../schema.ts';

/**
 * Whether calls insert rows into a table. A service whose role lacks that right would report that it is ready, and then fail every call.
 * Every table is listed, so a new one cannot be forgotten.
 */
const INSERTED: Readonly<Record<keyof Schema, boolean>> = {
  appointment: true,
  audit_event: true,
  center: false,
  day_token: true,
  doctor: false,
  doctor_leave: false,
  feedback: true,
  gateway_lease: false,
  idempotency_key: true,
  message: true,
  message_template: false,
  next_appointment_id: false,
  opening_hours: false,
  reference_version: false,
  service_mark: false,
  ws_nonce: true,
};

const WRITTEN = Object.entries(INSERTED).flatMap(([table, isInserted]) => (isInserted ? [table] : []));

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
