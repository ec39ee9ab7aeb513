import type { StoredPatient } from '../vocabulary/stored-records.ts';

/** Names for what a writer reads before it writes: the keys of `Store.write`. Two writers that share a key never run at the same time. */

/** The appointments of a doctor, which decide whether a slot is free. */
export const doctorKey = (centerId: number, doctorId: number): string => `doctor ${centerId} ${doctorId}`;

/** The appointments of a patient in a center, which must not overlap: those of everybody with that name. One whose data was erased has none. */
export const patientKeys = (centerId: number, { nameKey }: Pick<StoredPatient, 'nameKey'>): readonly string[] =>
  nameKey === null ? [] : [`patient ${centerId} ${nameKey}`];

/** The status and time of an appointment. */
export const appointmentKey = (centerId: number, appointmentId: number): string =>
  `appointment ${centerId} ${appointmentId}`;

/** The feedback of an inpatient, which is searched for a duplicate. */
export const feedbackKey = (ipno: string): string => `feedback ${ipno}`;

/** The messages to a number, which are searched for a duplicate. */
export const messageKey = (mobile: string): string => `message ${mobile}`;

/** The answer that was sent for a caller's Idempotency-Key. */
export const idempotencyKey = (key: string): string => `idempotency ${key}`;

/** The outbox, for any code that sends messages or records their fate. */
export const OUTBOX_KEY = 'outbox';
