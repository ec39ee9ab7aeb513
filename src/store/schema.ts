import type { Generated } from 'kysely';
import type { APPOINTMENT_FIELDS, FEEDBACK_FIELDS, TableOf } from '../vocabulary/stored-records.ts';

/**
 * The tables, as Kysely sees them. What the columns mean stands in `migrations/0001-tables.ts`. The names of columns tell the kinds of time apart:
 * - `…_on` is an instant: milliseconds since the epoch, UTC.
 * - `…_wall_minute` is a time on a center's clock: whole minutes since 1970-01-01T00:00 there.
 * - `…_minute_of_day` counts from midnight, 0 to 1440.
 * - `…day` is a day on a center's clock as ISO text, such as 2027-01-18.
 */
export interface Schema {
  center: CenterTable;
  doctor: DoctorTable;
  opening_hours: OpeningHoursTable;
  doctor_leave: DoctorLeaveTable;
  appointment: AppointmentTable;
  audit_event: AuditEventTable;
  day_token: DayTokenTable;
  feedback: FeedbackTable;
  outbox_lease: OutboxLeaseTable;
  message: MessageTable;
  message_template: MessageTemplateTable;
  reference_version: ReferenceVersionTable;
  idempotency_key: IdempotencyKeyTable;
  ws_nonce: WsNonceTable;
  service_fact: ServiceFactTable;
}

interface CenterTable {
  id: number;
  name: string;
  time_zone: string;
}

interface DoctorTable {
  center_id: number;
  id: number;
  name: string;
  department: string | null;
  specialization: string | null;
  qualification: string | null;
  slot_minutes: number;
  capacity: number;
  active: number;
}

interface OpeningHoursTable {
  id: Generated<number>;
  center_id: number;
  doctor_id: number;
  weekday: number;
  from_minute_of_day: number;
  to_minute_of_day: number;
  first_day: string | null;
  last_day: string | null;
}

interface DoctorLeaveTable {
  id: Generated<number>;
  center_id: number;
  doctor_id: number;
  from_wall_minute: number;
  to_wall_minute: number;
}

type AppointmentTable = TableOf<typeof APPOINTMENT_FIELDS>;

interface AuditEventTable {
  id: Generated<number>;
  recorded_on: number;
  operation: string | null;
  action: string;
  outcome: number;
  result_code: number | null;
  error_code: string | null;
  client: string;
  address: string | null;
  transport: string | null;
  correlation_id: string;
  center_id: number | null;
  appointment_id: number | null;
  doctor_id: number | null;
  day: string | null;
  feedback_id: number | null;
  message_id: number | null;
  shown: string | null;
  operator: string | null;
  reference: string | null;
  move_name: string | null;
  corrected: string | null;
  from_status: number | null;
  to_status: number | null;
  from_start_wall_minute: number | null;
  to_start_wall_minute: number | null;
}

interface IdempotencyKeyTable {
  key: string;
  fingerprint: string | null;
  answer: string | null;
  used_on: number;
}

interface WsNonceTable {
  nonce_hash: string;
  expires_on: number;
}

interface DayTokenTable {
  center_id: number;
  doctor_id: number;
  day: string;
  last_token: number;
}

type FeedbackTable = Omit<TableOf<typeof FEEDBACK_FIELDS>, 'id'> & { id: Generated<number> };

interface MessageTable {
  id: Generated<number>;
  mobile: string | null;
  text: string | null;
  template_id: number;
  mode: number;
  encoding: string;
  segments: number;
  status: number;
  queued_on: number;
  priority: Generated<number>;
  due_on: Generated<number>;
  expires_on: number | null;
  attempts: Generated<number>;
  takeovers: Generated<number>;
  unanswered: Generated<number>;
  leased_by: string | null;
  lease_ends_on: number | null;
  submitted_on: number | null;
  finished_on: number | null;
  gateway: string | null;
  gateway_reference: string | null;
  last_code: string | null;
  header: string | null;
  dlt_template_id: string | null;
  principal_entity_id: string | null;
  client: string;
  correlation_id: string | null;
}

interface OutboxLeaseTable {
  name: string;
  holder: string | null;
  lease_ends_on: number;
}

interface MessageTemplateTable {
  template_id: number;
  dlt_template_id: string | null;
  principal_entity_id: string | null;
  header: string | null;
  category: string | null;
  text: string;
  active: number;
}

interface ReferenceVersionTable {
  id: 1;
  version: number;
}

/** The only table into which the migrations insert a row. */
export const COUNTING_TABLE = 'reference_version' satisfies keyof Schema;

interface ServiceFactTable {
  name: string;
  value: string;
}

/** The smallest and greatest numbers that an integer column of both databases can hold. */
export const INTEGER_BOUNDS = { least: -2_147_483_648, greatest: 2_147_483_647 } as const;
