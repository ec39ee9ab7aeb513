import type { Generated } from 'kysely';
import type { APPOINTMENT_FIELDS, FEEDBACK_FIELDS, TableOf } from '../vocabulary/stored-records.ts';

/**
 * The tables, as Kysely sees them. The names of columns tell the kinds of time apart:
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
  /** IANA name. */
  time_zone: string;
}

/** A doctor as one center knows them: a person who works in two centers has two rows. */
interface DoctorTable {
  center_id: number;
  id: number;
  name: string;
  department: string | null;
  specialization: string | null;
  qualification: string | null;
  /** Source: HL7 FHIR Slot. */
  slot_minutes: number;
  /** Patients per slot. */
  capacity: number;
  /** 1 while the doctor can be booked and is listed. */
  active: number;
}

/** One time range of a doctor's week. Source: HL7 FHIR Schedule. */
interface OpeningHoursTable {
  id: Generated<number>;
  center_id: number;
  doctor_id: number;
  /** ISO 8601: 1 Monday to 7 Sunday. */
  weekday: number;
  from_minute_of_day: number;
  to_minute_of_day: number;
  /** Inclusive; null is open-ended. */
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

/** The key is (center_id, id). */
type AppointmentTable = TableOf<typeof APPOINTMENT_FIELDS>;

/**
 * The audit trail: one row per call that changed something, showed patient data or was refused. Rows never change. Source: HL7 FHIR R4
 * AuditEvent.
 */
interface AuditEventTable {
  id: Generated<number>;
  recorded_on: number;
  /** The name in the contract; null if a call was refused before it was read. */
  operation: string | null;
  /** C create, R read, U update, E execute. */
  action: string;
  /** 0 success, 4 minor failure (a refusal), 8 serious failure. */
  outcome: number;
  result_code: number | null;
  error_code: string | null;
  /** As named in the clients file. */
  client: string;
  /** The caller's address, or only its network. */
  address: string | null;
  transport: string | null;
  correlation_id: string;
  center_id: number | null;
  appointment_id: number | null;
  doctor_id: number | null;
  /** The doctor's day that was listed. */
  day: string | null;
  feedback_id: number | null;
  message_id: number | null;
  move_name: string | null;
  /** The names of the parameters whose earlier values a repeated booking replaced, with commas. */
  corrected: string | null;
  from_status: number | null;
  to_status: number | null;
  from_start_wall_minute: number | null;
  to_start_wall_minute: number | null;
}

/** The answer that was sent for a key, for callers that retry. */
interface IdempotencyKeyTable {
  key: string;
  /** Hash of the operation and its parameters; null once erased. */
  fingerprint: string | null;
  /** The result record as JSON; null once erased. */
  answer: string | null;
  used_on: number;
}

/** A nonce of a WS-Security message that was accepted. */
interface WsNonceTable {
  nonce_hash: string;
  /** After this instant, its message is too old to be accepted anyway. */
  expires_on: number;
}

/** The last token issued for a doctor's day. Tokens are never reused, even if appointments are cancelled or moved. */
interface DayTokenTable {
  center_id: number;
  doctor_id: number;
  day: string;
  last_token: number;
}

type FeedbackTable = Omit<TableOf<typeof FEEDBACK_FIELDS>, 'id'> & { id: Generated<number> };

/** The outbox: text messages are sent from here after the request that queued them was answered. */
interface MessageTable {
  id: Generated<number>;
  /** E.164; null once erased. */
  mobile: string | null;
  text: string | null;
  /** 0 for none. */
  template_id: number;
  /** 1 service, 2 promotional, 3 OTP, 4 flash. */
  mode: number;
  /** GSM-7 or UCS-2. */
  encoding: string;
  segments: number;
  /** 1 Queued to 8 Dead: `vocabulary/messages.ts`. */
  status: number;
  queued_on: number;
  /** Messages with the highest priority are sent first. */
  priority: Generated<number>;
  /** Not sent before this instant. Of the messages that are due, the one due longest is sent first. */
  due_on: Generated<number>;
  /** Not sent after this instant; null for no limit. */
  expires_on: number | null;
  /** How often it was handed to a gateway, or was about to be. */
  attempts: Generated<number>;
  /** How often a process disappeared between handing it to the gateway and recording the outcome. */
  takeovers: Generated<number>;
  /** Attempts after which it was unknown whether the gateway had accepted the message. */
  unanswered: Generated<number>;
  /** For a message that is Sending: the process that has it. Null while its outcome is unknown and a receipt is awaited. */
  leased_by: string | null;
  /** After it, the process is considered gone, or the answer lost. */
  lease_ends_on: number | null;
  submitted_on: number | null;
  finished_on: number | null;
  /** The gateway that accepted it. */
  gateway: string | null;
  /** The gateway's own id for it. */
  gateway_reference: string | null;
  /** A word or number that explains its status. */
  last_code: string | null;
  /** Copied from its template when the message was queued. */
  header: string | null;
  dlt_template_id: string | null;
  principal_entity_id: string | null;
  /** Who queued it, as named in the clients file. */
  client: string;
  /** From the call that queued it. */
  correlation_id: string | null;
}

/** One row, `outbox`: the process that works on the outbox, and until when. */
interface OutboxLeaseTable {
  name: string;
  holder: string | null;
  lease_ends_on: number;
}

/** A text that messages may be sent with. Source: TRAI's DLT registers of templates. */
interface MessageTemplateTable {
  /** The number that callers use to name it: tempid. */
  template_id: number;
  /** Up to 19 digits: more than a JavaScript number can hold. */
  dlt_template_id: string | null;
  principal_entity_id: string | null;
  header: string | null;
  category: string | null;
  /** Each `{#var#}` in it stands for a value. */
  text: string;
  /** 1 while messages may be sent with it. */
  active: number;
}

/** One row, which counts the changes to centers, doctors, opening hours and leaves. The database itself does the counting. */
interface ReferenceVersionTable {
  id: 1;
  version: number;
}

/** The only table into which the migrations insert a row. */
export const COUNTING_TABLE = 'reference_version' satisfies keyof Schema;

/** What the service remembers about its own database, such as whether it contains demo data. */
interface ServiceFactTable {
  name: string;
  value: string;
}

/** The smallest and greatest numbers that an integer column of both databases can hold. */
export const INTEGER_BOUNDS = { least: -2_147_483_648, greatest: 2_147_483_647 } as const;
