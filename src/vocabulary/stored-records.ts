/**
 * What is stored about appointments and feedback, each field once. Queries, erasure, the correction of an earlier booking, import and export
 * follow from it; `store/schema.ts` describes the other tables.
 */

/** What holds for a field besides its column and type. */
export interface FieldFacts {
  /** Its columns in a CSV file, which are also the parameters that contain it. Absent if an import assigns a new value. */
  readonly csv?: string | readonly string[];
  /** It identifies a person, and is erased. */
  readonly personal?: true;
  /** A repeated booking replaces it if it says something else. */
  readonly replaced?: true;
}

interface Field extends FieldFacts {
  readonly column: string;
}

type Fields = Readonly<Record<string, Field>>;

/** `Value` is the type of its values. It exists only for the compiler. */
type Typed<Column extends string, Value> = Field & { readonly column: Column; readonly value?: Value };

const typed =
  <Value>() =>
  <const Column extends string>(column: Column, facts: FieldFacts): Typed<Column, Value> => ({ column, ...facts });

const number = typed<number>();
const text = typed<string>();
const optionalNumber = typed<number | null>();
const optionalText = typed<string | null>();

type ValueOf<F> = F extends Typed<string, infer Value> ? Value : never;
type RowOf<F> = { readonly [Name in keyof F]: ValueOf<F[Name]> };
/** The table of such records, as Kysely sees it. */
export type TableOf<F extends Fields> = { [Name in keyof F as F[Name]['column']]: ValueOf<F[Name]> };

/** Who an appointment is for. Source: HL7 FHIR Patient. */
export const PATIENT_FIELDS = {
  /** Identifies the patient together with the name's key and the phone: `patients.ts`. Null without a usable registration number. */
  registrationKey: optionalText('registration_key', { csv: 'RegistrationNumber', personal: true, replaced: true }),
  registrationNumber: optionalText('registration_number', {
    csv: 'RegistrationNumber',
    personal: true,
    replaced: true,
  }),
  title: optionalText('title', { csv: 'title', personal: true, replaced: true }),
  nameKey: text('name_key', { csv: 'Name', personal: true, replaced: true }),
  name: text('name', { csv: 'Name', personal: true, replaced: true }),
  /** M, F, O or U. */
  sex: text('sex', { csv: 'Sex', replaced: true }),
  /** As it was sent. */
  ageText: optionalText('age_text', { csv: 'Age', personal: true, replaced: true }),
  ageValue: optionalNumber('age_value', { csv: 'Age', personal: true, replaced: true }),
  /** Y, M, W or D. */
  ageUnit: optionalText('age_unit', { csv: 'Age', personal: true, replaced: true }),
  area: optionalText('area', { csv: 'area', personal: true, replaced: true }),
  /** E.164. */
  phone: text('phone', { csv: 'contactnumber', personal: true, replaced: true }),
  email: optionalText('email', { csv: 'email', personal: true, replaced: true }),
} as const;

export const APPOINTMENT_FIELDS = {
  centerId: number('center_id', { csv: 'centerid' }),
  /** AppointmentID: unique within its center, because the old systems of two centers may have used the same numbers. */
  id: number('id', { csv: 'AppointmentID' }),
  doctorId: number('doctor_id', { csv: 'DoctorID' }),
  /** Wall minutes of the center. */
  startsAt: number('starts_at', { csv: ['appdate', 'apptime'] }),
  endsAt: number('ends_at', { csv: 'EndTime' }),
  /** 1 to the doctor's capacity, or beyond for an overlap. No two appointments that occupy their slot share doctor, seat and time. */
  seat: number('seat', {}),
  tokenNo: number('token_no', { csv: 'TokenNo' }),
  /** 1 Pending to 7 NoShow: `appointments.ts`. */
  status: number('status', { csv: 'Status' }),
  /** 1 for an appointment that was imported although it overlaps others, otherwise 0. */
  marked: number('marked', { csv: 'Overlap' }),
  rescheduleCount: number('reschedule_count', { csv: 'RescheduleCount' }),
  ...PATIENT_FIELDS,
  /** Instants, ms. */
  createdOn: number('created_on', { csv: 'CreatedOn' }),
  updatedOn: number('updated_on', { csv: 'UpdatedOn' }),
} as const;

export type StoredAppointment = RowOf<typeof APPOINTMENT_FIELDS>;
export type PatientDetails = RowOf<typeof PATIENT_FIELDS>;

/** Feedback of an inpatient. */
export const FEEDBACK_FIELDS = {
  id: number('id', { csv: 'FeedbackID' }),
  ipno: text('ipno', { csv: 'ipno', personal: true }),
  roomno: optionalText('roomno', { csv: 'roomno', personal: true }),
  mobile: optionalText('mobile', { csv: 'moblieno', personal: true }),
  dept: optionalText('dept', { csv: 'dept' }),
  comment: optionalText('comment', { csv: 'needsimprovementcommit', personal: true }),
  /** Instant, ms. */
  receivedOn: number('received_on', { csv: 'ReceivedOn' }),
  /** As named in the clients file. */
  client: text('client', { csv: 'Client' }),
} as const;

export type StoredFeedback = RowOf<typeof FEEDBACK_FIELDS>;
