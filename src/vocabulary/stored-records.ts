/**
 * What is stored about appointments, feedback, messages and calls, each field once. Queries, erasure, import and export
 * follow from it.
 */

/** What holds for a field besides its column and type. */
export interface FieldFacts {
  /** Its columns in a CSV file, which are also the parameters that contain it. Absent if an import assigns a new value. */
  readonly csv?: string | readonly string[];
  /** It identifies a person: null once the person's data was erased. */
  readonly personal?: true;
}

interface Field extends FieldFacts {
  readonly column: string;
}

export type Fields = Readonly<Record<string, Field>>;

/** `Value` is the type of its values when a record is created. It exists only for the compiler. */
type Typed<Column extends string, Value, Facts extends FieldFacts> = Facts & {
  readonly column: Column;
  readonly value?: Value;
};

const typed =
  <Value>() =>
  <const Column extends string, const Facts extends FieldFacts = FieldFacts>(
    column: Column,
    facts: Facts = {} as Facts,
  ): Typed<Column, Value, Facts> => ({ column, ...facts });

export const number = typed<number>();
export const text = typed<string>();
export const optionalNumber = typed<number | null>();
export const optionalText = typed<string | null>();

type NewValue<F> = F extends { readonly value?: infer Value } ? Exclude<Value, undefined> : never;
type StoredValue<F> = F extends { readonly personal: true } ? NewValue<F> | null : NewValue<F>;
/** A record as it is created. */
export type New<F> = { readonly [Name in keyof F]: NewValue<F[Name]> };
/** A record once it is stored: what is personal may have been erased. */
export type Stored<F> = { readonly [Name in keyof F]: StoredValue<F[Name]> };
/** The table of such records, as Kysely sees it. */
export type TableOf<F extends Fields> = { [Name in keyof F as F[Name]['column']]: StoredValue<F[Name]> };

/** Who an appointment is for. Source: HL7 FHIR Patient. */
export const PATIENT_FIELDS = {
  /** Null without a usable registration number. With the name's key, the phone, sex and age, it identifies the patient: `patients.ts`. */
  registrationKey: optionalText('registration_key', { csv: 'RegistrationNumber', personal: true }),
  registrationNumber: optionalText('registration_number', { csv: 'RegistrationNumber', personal: true }),
  title: optionalText('title', { csv: 'title', personal: true }),
  nameKey: text('name_key', { csv: 'Name', personal: true }),
  name: text('name', { csv: 'Name', personal: true }),
  /** M, F, O or U. */
  sex: text('sex', { csv: 'Sex' }),
  /** As it was sent, if that was not understood, so that it counts as U. */
  sexText: optionalText('sex_text', { csv: 'Sex', personal: true }),
  /** As it was sent. The same age can be written in several ways. */
  ageText: optionalText('age_text', { csv: 'Age', personal: true }),
  ageValue: optionalNumber('age_value', { csv: 'Age', personal: true }),
  /** Y, M, W or D; null, as is the value, if the text is not understood. */
  ageUnit: optionalText('age_unit', { csv: 'Age', personal: true }),
  area: optionalText('area', { csv: 'area', personal: true }),
  /** E.164; null if there is none. */
  phone: optionalText('phone', { csv: 'contactnumber', personal: true }),
  email: optionalText('email', { csv: 'email', personal: true }),
} as const;

/** The parameters of a booking that describe the patient, which are also the titles of the columns of a CSV file. */
export type PatientParameter = (typeof PATIENT_FIELDS)[keyof typeof PATIENT_FIELDS]['csv'];

export const APPOINTMENT_FIELDS = {
  centerId: number('center_id', { csv: 'centerid' }),
  /** AppointmentID: unique within its center, because the old systems of two centers may have used the same numbers. */
  id: number('id', { csv: 'AppointmentID' }),
  doctorId: number('doctor_id', { csv: 'DoctorID' }),
  /** Wall minutes of the center. */
  startsAt: number('start_wall_minute', { csv: ['appdate', 'apptime'] }),
  endsAt: number('end_wall_minute', { csv: 'EndTime' }),
  /** How long it takes, if the clocks change meanwhile; otherwise null, because start and end say it: `lengthOf`. */
  minutes: optionalNumber('minutes', { csv: 'Minutes' }),
  /** 1 to the doctor's capacity, or beyond for an overlap. No two appointments that occupy their slot share doctor, seat and time. */
  seat: number('seat'),
  tokenNo: number('token_no', { csv: 'TokenNo' }),
  /** 1 Pending to 7 NoShow: `appointments.ts`. */
  status: number('status', { csv: 'Status' }),
  /** 1 for an appointment that was imported although it overlaps others, otherwise 0. */
  overlapping: number('overlapping', { csv: 'Overlap' }),
  rescheduleCount: number('reschedule_count', { csv: 'RescheduleCount' }),
  ...PATIENT_FIELDS,
  /** Instants, ms. */
  createdOn: number('created_on', { csv: 'CreatedOn' }),
  updatedOn: number('updated_on', { csv: 'UpdatedOn' }),
} as const;

export type StoredAppointment = Stored<typeof APPOINTMENT_FIELDS>;
export type PatientDetails = New<typeof PATIENT_FIELDS>;
export type StoredPatient = Stored<typeof PATIENT_FIELDS>;

/** Feedback of an inpatient. */
export const FEEDBACK_FIELDS = {
  id: number('id', { csv: 'FeedbackID' }),
  inpatientNumber: text('inpatient_number', { csv: 'ipno', personal: true }),
  room: optionalText('room', { csv: 'roomno', personal: true }),
  /** As it was sent. */
  mobile: optionalText('mobile', { csv: 'moblieno', personal: true }),
  department: optionalText('department', { csv: 'dept', personal: true }),
  comment: optionalText('comment', { csv: 'needsimprovementcommit', personal: true }),
  /** Of everything that was sent and of the client, to find the same feedback. Short texts can be guessed from it. */
  contentHash: text('content_hash', { personal: true }),
  /** Instant, ms. */
  receivedOn: number('received_on', { csv: 'ReceivedOn' }),
  updatedOn: number('updated_on', { csv: 'UpdatedOn' }),
  /** As `callerName` says. */
  client: text('client', { csv: 'Client' }),
} as const;

/** A text message when it is queued, but for the times. */
export const QUEUED_FIELDS = {
  /** E.164. */
  mobile: text('mobile', { personal: true }),
  text: text('text', { personal: true }),
  /** 0 for none. */
  tempid: number('template_id'),
  mode: number('mode'),
  encoding: text('encoding'),
  segments: number('segments'),
  status: number('status'),
  /** Messages with the highest priority are sent first. */
  priority: number('priority'),
  /** Copied from its template. */
  header: optionalText('header'),
  dltTemplateId: optionalText('dlt_template_id'),
  principalEntityId: optionalText('principal_entity_id'),
  /** Who queues it, as `callerName` says. */
  client: text('client'),
  correlationId: optionalText('correlation_id'),
} as const;

/** Instants in ms. */
export const MESSAGE_FIELDS = {
  id: number('id'),
  ...QUEUED_FIELDS,
  queuedOn: number('queued_on'),
  dueOn: number('due_on'),
  expiresOn: optionalNumber('expires_on'),
  attempts: number('attempts'),
  takeovers: number('takeovers'),
  unanswered: number('unanswered'),
  leasedBy: optionalText('leased_by'),
  leaseEndsOn: optionalNumber('lease_ends_on'),
  submittedOn: optionalNumber('submitted_on'),
  finishedOn: optionalNumber('finished_on'),
  /** The one that accepted it; null until then. */
  gateway: optionalText('gateway'),
  reference: optionalText('gateway_reference', { personal: true }),
  code: optionalText('last_code'),
} as const;

/** FHIR's action codes: create, read, update, execute. Source: HL7 FHIR R4 AuditEvent. */
export type AuditAction = 'C' | 'R' | 'U' | 'E';

/** FHIR's outcome codes: success, minor failure, serious failure. Source: HL7 FHIR R4 AuditEvent. */
export type AuditOutcome = 0 | 4 | 8;

/** What an audit row is about: ids and numbers of the hospital, never a patient's identity. */
export const AUDIT_SUBJECT_FIELDS = {
  centerId: optionalNumber('center_id'),
  appointmentId: optionalNumber('appointment_id'),
  doctorId: optionalNumber('doctor_id'),
  /** The doctor's day that was listed, as ISO text. */
  day: optionalText('day'),
  feedbackId: optionalNumber('feedback_id'),
  messageId: optionalNumber('message_id'),
  /** The records that were shown or deleted, as `shownRecord` names them. */
  shown: optionalText('shown'),
} as const;

/** How an appointment was changed. Source: HL7 v2 SIU. */
export const AUDIT_MOVE_FIELDS = {
  /** Book, or the name of the move. */
  moveName: optionalText('move_name'),
  /** The parameters whose earlier values were replaced, with commas: by `tpws patient correct`, in version 1.0.0 by a repeated booking. */
  corrected: optionalText('corrected'),
  fromStatus: optionalNumber('from_status'),
  toStatus: optionalNumber('to_status'),
  /** Wall minutes of the center. */
  fromStart: optionalNumber('from_start_wall_minute'),
  toStart: optionalNumber('to_start_wall_minute'),
} as const;

/** What an audit row may say besides what all of them say. */
export const AUDIT_DETAIL_FIELDS = {
  /** The name in the contract; absent if a call was refused before it was read. */
  operation: optionalText('operation'),
  resultCode: optionalNumber('result_code'),
  /** ErrorCode, if the call was answered with a fault. */
  errorCode: optionalText('error_code'),
  /** The caller's address: an IP address or a network. Absent from a row that stands for many calls. */
  address: optionalText('address'),
  transport: optionalText('transport'),
  ...AUDIT_SUBJECT_FIELDS,
  /** Of a command: the user of the operating system, and the reason that was given. */
  operator: optionalText('operator'),
  reference: optionalText('reference'),
  ...AUDIT_MOVE_FIELDS,
} as const;

/** What every audit row says. */
export const AUDIT_CALL_FIELDS = {
  /** Instant, ms. */
  recordedOn: number('recorded_on'),
  action: typed<AuditAction>()('action'),
  outcome: typed<AuditOutcome>()('outcome'),
  /** As named in the clients file. */
  client: text('client'),
  correlationId: text('correlation_id'),
} as const;

export const AUDIT_FIELDS = { id: number('id'), ...AUDIT_CALL_FIELDS, ...AUDIT_DETAIL_FIELDS } as const;

const personalOf = (fields: Fields): readonly string[] =>
  Object.values(fields).flatMap(({ personal, column }) => (personal ? column : []));

/** What identifies a person, by table: these columns are null once the person's data was erased. */
export const PERSONAL_COLUMNS = {
  appointment: personalOf(APPOINTMENT_FIELDS),
  feedback: personalOf(FEEDBACK_FIELDS),
  message: personalOf(MESSAGE_FIELDS),
  idempotency_key: ['fingerprint', 'answer'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type StoredFeedback = Omit<Stored<typeof FEEDBACK_FIELDS>, 'contentHash'>;
export type NewFeedback = Omit<New<typeof FEEDBACK_FIELDS>, 'id' | 'contentHash' | 'updatedOn'>;
