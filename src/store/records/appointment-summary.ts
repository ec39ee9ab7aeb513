import { rowStatement, type Session } from '../statement.ts';
import type { Appointment, AppointmentKey, AppointmentSummary } from './appointment.ts';

/** Takes half as long as a statement with all columns of an appointment, its doctor and its center. */
const summaryById = rowStatement((db, v: AppointmentKey) =>
  db
    .selectFrom('appointment')
    .select([
      'doctor_id as doctorId',
      'starts_at as startsAt',
      'status',
      'reschedule_count as rescheduleCount',
      'updated_on as updatedOn',
    ])
    .where('center_id', '=', v.centerId)
    .where('id', '=', v.id),
);

/** The summary of an appointment. If the doctor's name and the center's time zone are not cached, `readAll` reads the whole appointment. */
export async function appointmentSummary(
  session: Session,
  key: AppointmentKey,
  readAll: () => Promise<Appointment | undefined>,
): Promise<AppointmentSummary | undefined> {
  const cache = session.reference?.current();
  const kept = cache instanceof Promise ? await cache : cache;
  if (kept === undefined) return readAll();
  const found = await summaryById(session, key);
  if (found === undefined) return undefined;
  const names = kept.names.get(key.centerId, found.doctorId);
  if (names !== undefined) return { ...found, doctorName: names.doctorName, timeZone: names.timeZone };
  const appointment = await readAll();
  if (appointment !== undefined) {
    const { doctorName, timeZone } = appointment;
    kept.names.set(key.centerId, found.doctorId, { doctorName, timeZone });
  }
  return appointment;
}
