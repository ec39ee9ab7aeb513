import type { Generated } from 'kysely';
import type {
  APPOINTMENT_FIELDS,
  AUDIT_FIELDS,
  FEEDBACK_FIELDS,
  Fields,
  MESSAGE_FIELDS,
  TableOf,
} from '../vocabulary/stored-records.ts';
import type { REFERENCE_TABLES } from './queries/reference-rows.ts';

/**
 * The tables, as Kysely sees them. What the columns mean stands in `migrations/0001-tables.ts`. The names of columns tell the kinds of time apart:
 * - `…_on` is an instant: milliseconds since the epoch, UTC.
 * - `…_wall_minute` is a time on a center's clock: whole minutes since 1970-01-01T00:00 there.
 * - `…_minute_of_day` counts from midnight, 0 to 1440.
 * - `…day` is a day on a center's clock as ISO text, such as 2027-01-18.
 */
export interface Schema {
  center: TableOf<typeof REFERENCE_TABLES.center.fields>;
  doctor: TableOf<typeof REFERENCE_TABLES.doctor.fields>;
  opening_hours: Numbered<typeof REFERENCE_TABLES.opening_hours.fields>;
  doctor_leave: Numbered<typeof REFERENCE_TABLES.doctor_leave.fields>;
  appointment: TableOf<typeof APPOINTMENT_FIELDS>;
  audit_event: Numbered<typeof AUDIT_FIELDS>;
  day_token: { center_id: number; doctor_id: number; day: string; last_token: number };
  feedback: Numbered<typeof FEEDBACK_FIELDS>;
  outbox_lease: { name: string; holder: string | null; lease_ends_on: number };
  message: Numbered<typeof MESSAGE_FIELDS>;
  message_template: TableOf<typeof REFERENCE_TABLES.message_template.fields>;
  reference_version: { id: 1; version: number };
  idempotency_key: { key: string; fingerprint: string | null; answer: string | null; used_on: number };
  ws_nonce: { nonce_hash: string; expires_on: number };
  service_fact: { name: string; value: string };
}

/** A table whose rows the database numbers. */
type Numbered<F extends Fields> = Omit<TableOf<F>, 'id'> & { id: Generated<number> };

/** The only table into which the migrations insert a row. */
export const COUNTING_TABLE = 'reference_version' satisfies keyof Schema;

/** The smallest and greatest numbers that an integer column of both databases can hold. */
export const INTEGER_BOUNDS = { least: -2_147_483_648, greatest: 2_147_483_647 } as const;
