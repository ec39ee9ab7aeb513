import type { PatientIdentity } from '../../vocabulary/patients.ts';
import type { StoredPatient } from './appointment.ts';

/** An appointment with everything that is stored about it. Times are wall minutes of the center, `…On` instants in ms. */
export interface StoredAppointment extends PatientIdentity, StoredPatient {
  readonly centerId: number;
  readonly id: number;
  readonly doctorId: number;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly seat: number;
  readonly tokenNo: number;
  readonly status: number;
  /** 1 for an appointment that was imported although it overlaps others, otherwise 0. */
  readonly marked: number;
  readonly rescheduleCount: number;
  readonly registrationNumber: string | null;
  readonly createdOn: number;
  readonly updatedOn: number;
}

export const STORED_APPOINTMENT_COLUMNS = [
  'center_id as centerId',
  'id',
  'doctor_id as doctorId',
  'starts_at as startsAt',
  'ends_at as endsAt',
  'seat',
  'token_no as tokenNo',
  'status',
  'marked',
  'reschedule_count as rescheduleCount',
  'registration_key as registrationKey',
  'name_key as nameKey',
  'phone',
  'registration_number as registrationNumber',
  'title',
  'name',
  'sex',
  'age_text as ageText',
  'age_value as ageValue',
  'age_unit as ageUnit',
  'area',
  'email',
  'created_on as createdOn',
  'updated_on as updatedOn',
] as const;

/** Feedback of an inpatient. */
export interface StoredFeedback {
  readonly id: number;
  readonly ipno: string;
  readonly roomno: string | null;
  readonly mobile: string | null;
  readonly dept: string | null;
  readonly comment: string | null;
  /** ms */
  readonly receivedOn: number;
  /** As named in the clients file. */
  readonly client: string;
}

export const STORED_FEEDBACK_COLUMNS = [
  'id',
  'ipno',
  'roomno',
  'mobile',
  'dept',
  'comment',
  'received_on as receivedOn',
  'client',
] as const;
