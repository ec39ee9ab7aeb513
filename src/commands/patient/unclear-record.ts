import type { AppointmentRow, FeedbackRow, MessageRow } from '../../store/queries/patient-queries.ts';

/** Why a record may be either the person's or somebody else's. Completes the sentence "It is not clear whose this is, because …". */
export const REASONS = {
  severalNumbers: 'patients with several registration numbers have this name and phone',
  severalSexes: 'patients of different sexes have this name and phone',
  sharedPhone: 'other patients have this phone',
  severalInPatients: 'feedback with this phone has several inpatient numbers',
  otherInPatient: 'its inpatient number was not named',
  otherPhone: 'its phone was not named',
  leftOut: 'it was left out when another patient was erased',
  possiblePhone: 'its phone contains a phone of this patient among other text',
  possibleName: 'its text contains the name of this patient, and no appointment has its phone',
  similarNumber: 'its inpatient number is similar',
} as const;

export type Reason = keyof typeof REASONS;

/** Reasons that disappear with the records of another patient, so an erasure must note that it left such a record out. */
export const PASSING_REASONS: ReadonlySet<Reason> = new Set<Reason>([
  'severalNumbers',
  'severalSexes',
  'sharedPhone',
  'severalInPatients',
  'otherInPatient',
  'otherPhone',
]);

export interface Unclear<Row> {
  readonly row: Row;
  readonly reason: Reason;
}

export interface UnclearRecords {
  readonly appointments: readonly Unclear<AppointmentRow>[];
  readonly feedback: readonly Unclear<FeedbackRow>[];
  readonly messages: readonly Unclear<MessageRow>[];
}
