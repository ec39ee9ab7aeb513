import type { ReferenceData } from '../store/queries/reference-data.ts';
import type { Center, Doctor } from '../store/queries/reference-rows.ts';
import type { Queries } from '../store/store.ts';
import { Refusal } from '../vocabulary/result-codes.ts';
import type { StoredAppointment } from '../vocabulary/stored-records.ts';

/** The center, or Refusal UnknownCenter. */
export function knownCenter(reference: ReferenceData, centerId: number): Center {
  const center = reference.center(centerId);
  if (center === undefined) throw unknownCenter(centerId);
  return center;
}

export const unknownCenter = (centerId: number): Refusal =>
  new Refusal('UnknownCenter', `there is no center ${centerId}.`, 'centerid');

/**
 * The doctor, or Refusal UnknownDoctor, which is the same for a doctor of another center. `parameter` is the one that named the doctor. A
 * doctor who has left is still found, because staff may need to look at the appointments.
 */
export function knownDoctor(reference: ReferenceData, centerId: number, doctorId: number, parameter: string): Doctor {
  const doctor = reference.doctor(centerId, doctorId);
  if (doctor === undefined) throw unknownDoctor(centerId, doctorId, parameter);
  return doctor;
}

/** Refusal UnknownDoctor for a doctor who can no longer be booked. */
export function requireActive({ centerId, id, active }: Doctor, parameter: string): void {
  if (active !== 1) throw unknownDoctor(centerId, id, parameter);
}

const unknownDoctor = (centerId: number, doctorId: number, parameter: string): Refusal =>
  new Refusal('UnknownDoctor', `center ${centerId} has no doctor ${doctorId}.`, parameter);

/**
 * The appointment, or Refusal AppointmentNotFound. The refusal is the same for an appointment of another center, because ids can be
 * guessed.
 */
export async function knownAppointment(
  { appointments }: Queries,
  id: number,
  centerId: number,
): Promise<StoredAppointment> {
  const appointment = await appointments.byId({ id, centerId });
  if (appointment === undefined) throw appointmentNotFound(id, centerId);
  return appointment;
}

export const appointmentNotFound = (id: number, centerId: number): Refusal =>
  new Refusal('AppointmentNotFound', `center ${centerId} has no appointment ${id}.`, 'AppointmentID');
