import type { NewId } from './hospital-model.ts';

export interface ModelDoctor {
  readonly centerId: number;
  readonly id: number;
  readonly name: string;
  readonly slotMinutes: number;
  readonly capacity: number;
  /** Ranges from Monday to Saturday in minutes of the day; undefined: any time. */
  readonly hours?: readonly (readonly [from: number, to: number])[];
  /** Minutes of local time, half-open. */
  readonly leave?: { readonly from: number; readonly to: number };
}

export interface Patient {
  readonly registrationNumber: string | undefined;
  readonly name: string;
  readonly title: string | undefined;
  /** Ten digits; undefined if there is none. */
  readonly phone: string | undefined;
  readonly sex: string;
  readonly age: string | undefined;
}

/** Times are minutes of local time, `updatedOn` is an instant in ms. */
export interface Appointment {
  readonly id: number;
  readonly centerId: number;
  readonly doctorId: number;
  readonly doctorName: string;
  readonly patient: Patient;
  readonly start: number;
  readonly end: number;
  readonly token: number;
  readonly status: number;
  readonly reschedules: number;
  readonly updatedOn: number;
}

export interface Feedback {
  readonly ipno: string;
  readonly comment: string;
  readonly receivedOn: number;
}

export interface Message {
  /** E.164, or undefined for a number that is not mobile. */
  readonly mobile: string | undefined;
  readonly text: string;
  readonly tempid: number;
  readonly mode: number;
  readonly queuedOn: number;
}

/** Who calls: a desk may overbook. */
interface Caller {
  readonly isDesk: boolean;
}

export interface Booking extends Caller {
  readonly patient: Patient;
  readonly centerId: number;
  readonly doctorId: number;
  readonly start: number;
}

export interface Change extends Caller {
  readonly id: number;
  readonly centerId: number;
  readonly type: number;
  /** Undefined: the parameters hold .NET's unset DateTime. */
  readonly start: number | undefined;
}

type CallOf<Operation extends string, Meaning> = {
  readonly operation: Operation;
  readonly meaning: Meaning;
  /** As they are sent. */
  readonly parameters: Readonly<Record<string, string | number>>;
};

/** A call, with its meaning in addition to what is sent. */
export type Call =
  | CallOf<'Fetch_Details', Booking>
  | CallOf<'Appointment_Status_Updates', Change>
  | CallOf<'Appointment_Status', { readonly id: number; readonly centerId: number }>
  | CallOf<'OPAppointmentdetail', { readonly doctorId: number; readonly day: number; readonly centerId: number }>
  | CallOf<'GetDoctor', { readonly centerId: number }>
  | CallOf<'FB_Push_Details', Omit<Feedback, 'receivedOn'>>
  | CallOf<'Sent_SMS', Omit<Message, 'queuedOn'>>;

export type Undo = () => unknown;

type ExpectedValue = string | number | boolean | undefined | NewId | readonly ExpectedRecord[];
export type ExpectedRecord = { readonly [field: string]: ExpectedValue };

/** The required answer. Only a call with a change makes one; it uses the id that the service chose. */
export interface Expectation {
  readonly record: ExpectedRecord;
  readonly change?: (id: number) => Undo;
  /** Whether an id was given out before. */
  readonly isTaken?: (id: number) => boolean;
}
