import { rowStatement, type Session } from '../statement.ts';
import type { Appointment, AppointmentKey, AppointmentSummary } from './appointment.ts';
import type { ReferenceQueries } from './reference-queries.ts';

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

/**
 * The summary of an appointment. Its doctor's name and its center's time zone come from the cached reference data. Without a cache,
 * `readAll` gets everything with one statement.
 */
export async function appointmentSummary(
  session: Session,
  reference: ReferenceQueries,
  key: AppointmentKey,
  readAll: () => Promise<Appointment | undefined>,
): Promise<AppointmentSummary | undefined> {
  const data = session.referenceCache?.data();
  const cached = data instanceof Promise ? await data : data;
  if (cached === undefined) return readAll();
  const found = await summaryById(session, key);
  if (found === undefined) return undefined;
  const { centerId } = key;
  const { doctorId } = found;
  const doctor = cached.doctors.get(centerId, doctorId) ?? (await reference.doctor(centerId, doctorId));
  const center = cached.centers.get(centerId) ?? (await reference.center(centerId));
  if (doctor === undefined || center === undefined) throw new Error('an appointment has no doctor or no center');
  return { ...found, doctorName: doctor.name, timeZone: center.timeZone };
}
