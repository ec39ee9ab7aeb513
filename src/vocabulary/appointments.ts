import type { StoredAppointment } from './stored-records.ts';

/**
 * The statuses of an appointment, one number each. Clients see the numbers and names, and the database stores the numbers, so a number is
 * never reused. The names follow HL7 FHIR AppointmentStatus where it has a matching term.
 */
export const AppointmentStatus = {
  Pending: 1,
  Booked: 2,
  Arrived: 3,
  InConsultation: 4,
  Completed: 5,
  Cancelled: 6,
  NoShow: 7,
} as const;

export type AppointmentStatus = (typeof AppointmentStatus)[keyof typeof AppointmentStatus];

/**
 * An appointment with this status or a lower one occupies its slot. The indexes of both databases depend on this number, so changing it
 * requires a migration.
 */
export const LAST_HOLDING_STATUS = AppointmentStatus.InConsultation;

type MoveName = 'Reschedule' | 'Confirm' | 'Arrive' | 'Start' | 'Complete' | 'Cancel' | 'NoShow';

export interface Move {
  /** The number in parameter `type`. */
  readonly type: number;
  readonly name: MoveName;
  /** The status after the move. */
  readonly status: AppointmentStatus;
  readonly allowedFrom: readonly AppointmentStatus[];
  /** appdate and apptime are required; otherwise they are ignored. */
  readonly needsStart?: true;
  /** The patient must be present, so the move is refused before the appointment's day. */
  readonly onItsDay?: true;
}

const { Pending, Booked, Arrived, InConsultation, Completed, Cancelled, NoShow } = AppointmentStatus;

export const MOVES: readonly Move[] = [
  { type: 1, name: 'Reschedule', status: Booked, allowedFrom: [Pending, Booked, NoShow], needsStart: true },
  // Not from Pending, it takes back what was recorded by mistake.
  { type: 2, name: 'Confirm', status: Booked, allowedFrom: [Pending, Arrived, InConsultation, Completed] },
  { type: 3, name: 'Arrive', status: Arrived, allowedFrom: [Pending, Booked, NoShow], onItsDay: true },
  { type: 4, name: 'Start', status: InConsultation, allowedFrom: [Booked, Arrived], onItsDay: true },
  { type: 5, name: 'Complete', status: Completed, allowedFrom: [Booked, Arrived, InConsultation], onItsDay: true },
  { type: 6, name: 'Cancel', status: Cancelled, allowedFrom: [Pending, Booked, Arrived, NoShow] },
  { type: 7, name: 'NoShow', status: NoShow, allowedFrom: [Pending, Booked] },
];

/** Shortest and longest slot of a doctor, in minutes. The database refuses other lengths. Source: HL7 FHIR Slot. */
export const SHORTEST_SLOT_MINUTES = 5;
export const LONGEST_SLOT_MINUTES = 240;
/** The longest slot in wall minutes: the clocks of some zone skip two hours, in the middle of it. */
export const LONGEST_SPAN_MINUTES = 360;

/** Minutes that an appointment takes, in real time. */
export const lengthOf = ({ startsAt, endsAt, minutes }: Pick<StoredAppointment, 'startsAt' | 'endsAt' | 'minutes'>) =>
  minutes ?? endsAt - startsAt;

const SHORTEST_SESSION_MINUTES = 60;

/** Whether a doctor's slots are sessions: long ones, for several patients. A session says when to come, not how long a visit takes. */
export const holdsSessions = (doctor?: { readonly slotMinutes: number; readonly capacity: number }): boolean =>
  doctor !== undefined && doctor.slotMinutes >= SHORTEST_SESSION_MINUTES && doctor.capacity > 1;

/** Of wall time, in which there are no clock changes. */
export const MINUTES_PER_DAY = 1440;
