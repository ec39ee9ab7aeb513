import { wallMinuteAt } from '../../rules/time-zone.ts';
import { type AuditEntry, type AuditSubject, ERASURE } from '../../store/queries/audit-queries.ts';
import type { KeptAnswerRow } from '../../store/queries/patient-queries.ts';
import type { Queries } from '../../store/store.ts';
import { LAST_HOLDING_STATUS } from '../../vocabulary/appointments.ts';
import { ServiceError } from '../../vocabulary/errors.ts';
import { quantity } from '../../vocabulary/text.ts';
import type { PatientRecords } from './patient-records.ts';

/** Throws ServiceError if one of the appointments holds a slot that has not ended yet. `now`: ms. */
export async function requireOver(
  { reference }: Queries,
  { appointments }: PatientRecords,
  now: number,
): Promise<void> {
  const coming: string[] = [];
  for (const { center_id: centerId, id, status, end_wall_minute: end } of appointments) {
    const zone = (await reference.center(centerId))?.timeZone ?? 'UTC';
    if (status <= LAST_HOLDING_STATUS && end > wallMinuteAt(now, zone)) coming.push(`${id} of center ${centerId}`);
  }
  if (coming.length === 0) return;
  const are = quantity(coming.length, 'appointment is', 'appointments are');
  throw new ServiceError(
    'InvalidValue',
    `${are} not over yet: ${coming.join(', ')}. Cancel first, or add --also-coming; nothing was erased.`,
  );
}

/**
 * Removes what identifies the patient, with one audit row per record, which is the given one with its id. Slots, statuses and counts stay.
 * Returns how many messages were cancelled. Must run within one write.
 */
export async function eraseRecords(
  { patients, audit }: Queries,
  { appointments, feedback, messages }: PatientRecords,
  answers: readonly KeptAnswerRow[],
  row: AuditEntry,
): Promise<number> {
  const { recordedOn: now } = row;
  const note = (subject: AuditSubject & { readonly moveName?: string }) => audit.add({ ...row, ...subject });
  for (const { center_id: centerId, id: appointmentId, doctor_id: doctorId } of appointments) {
    await patients.eraseAppointment(centerId, appointmentId, now);
    await note({ centerId, appointmentId, doctorId, moveName: ERASURE });
  }
  for (const { id } of feedback) {
    await patients.eraseFeedback(id, now);
    await note({ feedbackId: id });
  }
  let cancelled = 0;
  for (const { id } of messages) {
    if (await patients.eraseMessage(id, now)) cancelled++;
    await note({ messageId: id });
  }
  for (const { key } of answers) await patients.eraseAnswer(key);
  return cancelled;
}
