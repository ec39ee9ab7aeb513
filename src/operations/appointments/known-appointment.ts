import type { Appointment } from '../../store/queries/appointment.ts';
import type { Queries } from '../../store/store.ts';
import { Refusal } from '../../vocabulary/result-codes.ts';

/**
 * The appointment, or Refusal AppointmentNotFound. The refusal is the same for an appointment of another center, because ids can be
 * guessed.
 */
export async function knownAppointment({ appointments }: Queries, id: number, centerId: number): Promise<Appointment> {
  const appointment = await appointments.byId(id, centerId);
  if (appointment === undefined) throw appointmentNotFound(id, centerId);
  return appointment;
}

/** Refusal AppointmentNotFound. */
export const appointmentNotFound = (id: number, centerId: number): Refusal =>
  new Refusal(
    'AppointmentNotFound',
    `Parameter AppointmentID: center ${centerId} has no appointment ${id}.`,
    'AppointmentID',
  );
