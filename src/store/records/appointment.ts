import type { PatientDetails } from '../../vocabulary/patient-details.ts';
import type { PatientIdentity } from '../../vocabulary/patient-identity.ts';

/** An appointment with its doctor's name and its center's zone. Times are wall minutes of the center, `updatedOn` is an instant in ms. */
export interface Appointment extends PatientIdentity {
  readonly id: number;
  readonly centerId: number;
  readonly doctorId: number;
  readonly doctorName: string;
  readonly startsAt: number;
  readonly seat: number;
  readonly tokenNo: number;
  readonly status: number;
  readonly rescheduleCount: number;
  readonly registrationNumber: string | null;
  readonly updatedOn: number;
  /** IANA name of the center's zone. */
  readonly timeZone: string;
}

/** What a caller who knows only the id of an appointment may be told: nothing about the patient. As in `Appointment`. */
export type AppointmentSummary = Pick<
  Appointment,
  'doctorId' | 'doctorName' | 'startsAt' | 'status' | 'rescheduleCount' | 'updatedOn' | 'timeZone'
>;

/** What identifies one appointment: two centers may use the same number. */
export interface AppointmentKey {
  readonly centerId: number;
  readonly id: number;
}

/** A row of the doctor's day: what the desk sees about the patient. */
export interface DayAppointment {
  readonly id: number;
  readonly tokenNo: number;
  readonly registrationNumber: string | null;
  readonly title: string | null;
  readonly name: string;
  readonly sex: string;
  readonly ageText: string | null;
  readonly area: string | null;
  readonly phone: string;
  readonly startsAt: number;
  readonly status: number;
}

export interface NewAppointment extends PatientDetails {
  readonly centerId: number;
  readonly doctorId: number;
  readonly day: number;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly seat: number;
  readonly tokenNo: number;
  readonly status: number;
  readonly now: number;
}

/** A span of one doctor's time, in wall minutes, half-open. */
export interface DoctorSpan {
  readonly centerId: number;
  readonly doctorId: number;
  readonly from: number;
  readonly to: number;
}

/** A seat that an appointment holds. Wall minutes, half-open. */
export interface HeldSeat {
  readonly seat: number;
  readonly from: number;
  readonly to: number;
}

/** An appointment that holds its slot, with the fields with which a repeated booking is compared. */
export interface StandingAppointment extends Appointment, StoredPatient {
  readonly endsAt: number;
}

/** What is stored about the patient of an appointment besides the keys by which patients are compared. */
export interface StoredPatient {
  readonly title: string | null;
  readonly name: string;
  readonly sex: string;
  readonly ageText: string | null;
  readonly ageValue: number | null;
  readonly ageUnit: string | null;
  readonly area: string | null;
  readonly email: string | null;
}
