import type { Doctor } from '../store/queries/reference-queries.ts';
import type { Queries } from '../store/store.ts';
import { Refusal } from '../vocabulary/result-codes.ts';

/**
 * The doctor, or Refusal UnknownDoctor, which is the same for a doctor of another center. `parameter` is the one that named the doctor. A
 * doctor who has left is still found, because staff may need to look at the appointments.
 */
export async function knownDoctor(
  { reference }: Queries,
  centerId: number,
  doctorId: number,
  parameter: string,
): Promise<Doctor> {
  const doctor = await reference.doctor(centerId, doctorId);
  if (doctor === undefined) throw unknownDoctor(centerId, doctorId, parameter);
  return doctor;
}

/** Refusal UnknownDoctor for a doctor who can no longer be booked. */
export function requireActive({ centerId, id, active }: Doctor, parameter: string): void {
  if (active !== 1) throw unknownDoctor(centerId, id, parameter);
}

const unknownDoctor = (centerId: number, doctorId: number, parameter: string): Refusal =>
  new Refusal('UnknownDoctor', `Parameter ${parameter}: center ${centerId} has no doctor ${doctorId}.`, parameter);
