import type { Generated } from 'kysely';

/**
 * The tables, as Kysely sees them. Two kinds of time are kept apart by their names:
 * `…_at` of an appointment is a wall minute of its center (whole minutes since 1970-01-01T00:00 on the center's clock),
 * `…_on` is an instant (milliseconds since the epoch, UTC).
 */
export interface Schema {
  center: CenterTable;
  doctor: DoctorTable;
  opening_hours: OpeningHoursTable;
  doctor_leave: DoctorLeaveTable;
  appointment: AppointmentTable;
  next_appointment_id: NextAppointmentIdView;
  audit_event: AuditEventTable;
  day_token: DayTokenTable;
  feedback: FeedbackTable;
  gateway_lease: GatewayLeaseTable;
  message: MessageTable;
  message_template: MessageTemplateTable;
  reference_version: ReferenceVersionTable;
  idempotency_key: IdempotencyKeyTable;
  ws_nonce: WsNonceTable;
  service_mark: ServiceMarkTable;
}

interface CenterTable {
  id: number;
  name: string;
  /** IANA name. */
  time_zone: string;
}

/** A doctor as one center knows them: the same person in two centers has two rows. */
interface DoctorTable {
  center_id: number;
  id: number;
  name: string;
  department: string | null;
  specialization: string | null;
  qualification: string | null;
  /** Source: HL7 FHIR Slot. */
  slot_minutes: number;
  /** Patients that one slot takes. */
  capacity: number;
  /** 1 while the doctor can be booked and is listed. */
  active: number;
}

/** One range of a doctor's week. Source: HL7 FHIR Schedule. */
interface OpeningHoursTable {
  id: Generated<number>;
  center_id: number;
  doctor_id: number;
  /** ISO 8601: 1 Monday to 7 Sunday. */
  weekday: number;
  from_minute: number;
  to_minute: number;
  /** ISO days, inclusive; null is open-ended. */
  valid_from: string | null;
  valid_to: string | null;
}

interface DoctorLeaveTable {
  id: Generated<number>;
  center_id: number;
  doctor_id: number;
  from_at: number;
  to_at: number;
}

/** The key is (center_id, id): the numbers of two centers' old systems may be the same. */
interface AppointmentTable {
  center_id: number;
  /** AppointmentID. New ones come from `next_appointment_id`, one sequence for all centers. */
  id: number;
  doctor_id: number;
  /** Day number of `starts_at`: the key of a doctor's day. */
  day: number;
  starts_at: number;
  ends_at: number;
  /** 1 to the doctor's capacity: no two standing appointments share doctor, seat and time. */
  seat: number;
  token_no: number;
  status: number;
  /** 1 for one that was imported although it overlaps others. Source: `store/overlapping.ts`. */
  marked: Generated<number>;
  reschedule_count: number;
  /** With `name_key` and `phone` it says who the patient is: `vocabulary/patient-identity.ts`. Null without a number that counts. */
  registration_key: string | null;
  name_key: string;
  registration_number: string | null;
  title: string | null;
  name: string;
  sex: string;
  age_text: string | null;
  age_value: number | null;
  age_unit: string | null;
  area: string | null;
  /** E.164. */
  phone: string;
  email: string | null;
  created_on: number;
  updated_on: number;
}

/** One row that holds another number each time it is read: above all that were given, and all that were imported. */
interface NextAppointmentIdView {
  next_id: number;
}

/** Of earlier versions: a row a move, and one for the booking. `audit_event` has taken it over. */
export interface AppointmentHistoryTable {
  id: Generated<number>;
  appointment_id: number;
  happened_on: number;
  move_name: string;
  from_status: number | null;
  to_status: number;
  from_at: number | null;
  to_at: number;
  transport: string;
  correlation_id: string;
}

/** A row a call that changed something, showed patients or was refused; nothing is ever changed in it. Source: HL7 FHIR R4 AuditEvent. */
interface AuditEventTable {
  id: Generated<number>;
  recorded_on: number;
  /** The contract's name; null where a call was refused before it was read. */
  operation: string | null;
  /** C create, R read, U update, E execute. */
  action: string;
  /** 0 success, 4 minor failure (a refusal), 8 serious failure. */
  outcome: number;
  result_code: number | null;
  error_code: string | null;
  /** As the clients file names it. */
  client: string;
  /** Where the call came from, whole or its network; null in rows of earlier versions. */
  address: string | null;
  transport: string | null;
  correlation_id: string;
  center_id: number | null;
  appointment_id: number | null;
  doctor_id: number | null;
  /** Day number of a doctor's day that was listed. */
  day: number | null;
  feedback_id: number | null;
  message_id: number | null;
  move_name: string | null;
  from_status: number | null;
  to_status: number | null;
  from_at: number | null;
  to_at: number | null;
}

/** The answer that a key got, for callers that send again. */
interface IdempotencyKeyTable {
  key: string;
  /** Hash of the operation and its parameters. */
  fingerprint: string;
  /** The result record as JSON. */
  answer: string;
  used_on: number;
}

/** A nonce of a WS-Security message that was taken. */
interface WsNonceTable {
  nonce_hash: string;
  /** From then on its message is too old anyway. */
  expires_on: number;
}

/** The last token given out in a doctor's day: tokens are never given twice, whatever is cancelled or moved. */
interface DayTokenTable {
  center_id: number;
  doctor_id: number;
  day: number;
  last_token: number;
}

interface FeedbackTable {
  id: Generated<number>;
  ipno: string;
  roomno: string | null;
  mobile: string | null;
  dept: string | null;
  comment: string | null;
  received_on: number;
  /** As the clients file names it. */
  client: string;
}

/** The outbox: a text message is sent from here, after the request that queued it was answered. */
interface MessageTable {
  id: Generated<number>;
  /** E.164. */
  mobile: string;
  text: string;
  tempid: number;
  mode: number;
  encoding: string;
  segments: number;
  /** 1 Queued to 8 Dead: `vocabulary/message-status.ts`. */
  status: number;
  queued_on: number;
  /** Messages with the highest go first. */
  priority: Generated<number>;
  /** Not before this instant; after it, the oldest goes first. */
  due_on: Generated<number>;
  /** Not after this instant; null for never. */
  expires_on: number | null;
  /** Times that it was given to a gateway, or was about to be. */
  attempts: Generated<number>;
  /** Times that a process went away between giving it to the gateway and writing down what came of it. */
  takeovers: Generated<number>;
  /** Of a message that is Sending: which process has it. Null while nobody has answered for it. */
  leased_by: string | null;
  /** An instant as `…_on` are: then the process counts as gone, or the answer as not coming. */
  leased_until: number | null;
  submitted_on: number | null;
  finished_on: number | null;
  /** What took it. */
  gateway: string | null;
  /** The gateway's own name for it. */
  gateway_reference: string | null;
  /** A word or number that tells why it is where it is. */
  last_code: string | null;
  /** Of its template, as it was when the message was queued. */
  header: string | null;
  dlt_template_id: string | null;
  principal_entity_id: string | null;
  /** Of the call that queued it. */
  correlation_id: string | null;
}

/** One row, `outbox`: the process that works the outbox, until an instant. */
interface GatewayLeaseTable {
  name: string;
  holder: string | null;
  leased_until: number;
}

/** A text that messages may be sent by. Source: TRAI's DLT registers of templates. */
interface MessageTemplateTable {
  /** The number that callers name it by. */
  tempid: number;
  /** Up to 19 digits: more than a number holds. */
  dlt_template_id: string | null;
  principal_entity_id: string | null;
  header: string | null;
  category: string | null;
  /** Each `{#var#}` in it stands for a value. */
  text: string;
  /** 1 while messages may be sent by it. */
  active: number;
}

/** One row: counts the changes of centers, doctors, opening hours and leaves. The database itself counts. */
interface ReferenceVersionTable {
  version: number;
}

/** The only table that the migrations put a row into. */
export const COUNTING_TABLE = 'reference_version' satisfies keyof Schema;

/** What the service remembers about its own database, such as that it holds demo data. */
interface ServiceMarkTable {
  name: string;
  value: string;
}
