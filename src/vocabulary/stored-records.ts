/**
 * What is stored about appointments and feedback, each field once. Queries, erasure, the correction of an earlier booking, import and export
 * follow from it; `store/schema.ts` describes the other tables.
 */

/** What holds for a field besides its column and type. */
export interface FieldFacts {
  /** Its columns in a CSV file, which are also the parameters that contain it. Absent if an import assigns a new value. */
  readonly csv?: string | readonly string[];
  /** It identifies a person: null once the person's data was erased. */
  readonly personal?: true;
  /** What a repeated booking does that says something else: it replaces the value, or it is told that the value is kept. */
  readonly repeated?: 'replaces' | 'keeps';
}

interface Field extends FieldFacts {
  readonly column: string;
}

type Fields = Readonly<Record<string, Field>>;

/** `Value` is the type of its values when a record is created. It exists only for the compiler. */
type Typed<Column extends string, Value, Facts extends FieldFacts> = Facts & {
  readonly column: Column;
  readonly value?: Value;
};

const typed =
  <Value>() =>
  <const Column extends string, const Facts extends FieldFacts>(
    column: Column,
    facts: Facts,
  ): Typed<Column, Value, Facts> => ({ column, ...facts });

const number = typed<number>();
const text = typed<string>();
const optionalNumber = typed<number | null>();
const optionalText = typed<string | null>();

type NewValue<F> = F extends { readonly value?: infer Value } ? Exclude<Value, undefined> : never;
type StoredValue<F> = F extends { readonly personal: true } ? NewValue<F> | null : NewValue<F>;
/** A record as it is created. */
type New<F> = { readonly [Name in keyof F]: NewValue<F[Name]> };
/** The same once it is stored. */
type Stored<F> = { readonly [Name in keyof F]: StoredValue<F[Name]> };
/** The table of such records, as Kysely sees it. */
export type TableOf<F extends Fields> = { [Name in keyof F as F[Name]['column']]: StoredValue<F[Name]> };

/** Who an appointment is for. Source: HL7 FHIR Patient. */
export const PATIENT_FIELDS = {
  /** Null without a usable registration number. With the name's key, the phone, sex and age, it identifies the patient: `patients.ts`. */
  registrationKey: optionalText('registration_key', { csv: 'RegistrationNumber', personal: true, repeated: 'keeps' }),
  registrationNumber: optionalText('registration_number', { csv: 'RegistrationNumber', personal: true }),
  title: optionalText('title', { csv: 'title', personal: true, repeated: 'replaces' }),
  nameKey: text('name_key', { csv: 'Name', personal: true }),
  name: text('name', { csv: 'Name', personal: true }),
  /** M, F, O or U, which a repeated booking replaces. */
  sex: text('sex', { csv: 'Sex', repeated: 'keeps' }),
  /** As it was sent. The same age can be written in several ways. */
  ageText: optionalText('age_text', { csv: 'Age', personal: true }),
  ageValue: optionalNumber('age_value', { csv: 'Age', personal: true, repeated: 'replaces' }),
  /** Y, M, W or D. */
  ageUnit: optionalText('age_unit', { csv: 'Age', personal: true, repeated: 'replaces' }),
  area: optionalText('area', { csv: 'area', personal: true, repeated: 'replaces' }),
  /** E.164. */
  phone: text('phone', { csv: 'contactnumber', personal: true, repeated: 'keeps' }),
  email: optionalText('email', { csv: 'email', personal: true, repeated: 'replaces' }),
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
  /** 1 to the doctor's capacity, or beyond for an overlap. No two appointments that occupy their slot share doctor, seat and time. */
  seat: number('seat', {}),
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
  department: optionalText('department', { csv: 'dept' }),
  comment: optionalText('comment', { csv: 'needsimprovementcommit', personal: true }),
  /** Of everything that was sent and of the client, to find the same feedback. Short texts can be guessed from it. */
  contentHash: text('content_hash', { personal: true }),
  /** Instant, ms. */
  receivedOn: number('received_on', { csv: 'ReceivedOn' }),
  updatedOn: number('updated_on', { csv: 'UpdatedOn' }),
  /** As named in the clients file. */
  client: text('client', { csv: 'Client' }),
} as const;

const personalOf = (fields: Fields): readonly string[] =>
  Object.values(fields).flatMap(({ personal, column }) => (personal ? column : []));

/** What identifies a person, by table: these columns are null once the person's data was erased. */
export const PERSONAL_COLUMNS = {
  appointment: personalOf(APPOINTMENT_FIELDS),
  feedback: personalOf(FEEDBACK_FIELDS),
  message: ['mobile', 'text', 'gateway_reference'],
  idempotency_key: ['fingerprint', 'answer'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type StoredFeedback = Omit<Stored<typeof FEEDBACK_FIELDS>, 'contentHash'>;
export type NewFeedback = Omit<New<typeof FEEDBACK_FIELDS>, 'id' | 'contentHash' | 'updatedOn'>;
