import type { PatientDetails, PatientIdentity } from '../../vocabulary/patients.ts';

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

/** What may be shown to a caller that knows only the id of an appointment: nothing about the patient. As in `Appointment`. */
export type AppointmentSummary = Pick<
  Appointment,
  'doctorId' | 'doctorName' | 'startsAt' | 'status' | 'rescheduleCount' | 'updatedOn' | 'timeZone'
>;

/** What identifies an appointment: two centers may use the same number. */
export interface AppointmentKey {
  readonly centerId: number;
  readonly id: number;
}

/** A row of the doctor's day, with the patient's details that the desk sees. */
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

/** The numbers that a new appointment receives. */
export interface AppointmentNumbers {
  readonly id: number;
  readonly tokenNo: number;
}

export interface NewAppointment extends PatientDetails {
  readonly centerId: number;
  readonly doctorId: number;
  readonly day: number;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly seat: number;
  readonly status: number;
  readonly now: number;
}

/** A span of a doctor's time, in wall minutes, half-open. */
export interface DoctorSpan {
  readonly centerId: number;
  readonly doctorId: number;
  readonly from: number;
  readonly to: number;
}

/** A seat that an appointment occupies. Wall minutes, half-open. */
export interface HeldSeat {
  readonly seat: number;
  readonly from: number;
  readonly to: number;
}

/** An appointment that occupies its slot, with the fields that a repeated booking is compared with. */
export interface StandingAppointment extends Appointment, StoredPatient {
  readonly endsAt: number;
}

/** What is stored about the patient of an appointment, apart from the keys used to compare patients. */
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
