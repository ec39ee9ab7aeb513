import type { AuditSubject } from '../../store/records/audit-records.ts';
import type { Store } from '../../store/store.ts';
import { ServiceError } from '../../vocabulary/errors.ts';
import { ResultCode } from '../../vocabulary/result-codes.ts';
import type { PersonData } from './find-person.ts';

/** No client can have this name, because names in the clients file contain no space. */
const CLIENT = 'npm run patient';
/** As recorded in the audit: the operation, and the move of an appointment. */
const ERASE = 'Erase';

/**
 * Removes what identifies the person, in one transaction with one audit row per record. Slots, statuses and counts stay. Returns how many
 * messages were cancelled. Throws ServiceError if an appointment was changed since it was found; then nothing is erased. `now`: ms.
 */
export function erasePerson(
  store: Store,
  { appointments, feedback, messages, answers }: PersonData,
  { now, correlationId }: { readonly now: number; readonly correlationId: string },
): Promise<number> {
  return store.write(async ({ patients, audit }) => {
    const note = (subject: AuditSubject, moveName?: string) =>
      audit.add({
        now,
        operation: ERASE,
        action: 'U',
        outcome: 0,
        resultCode: ResultCode.OK,
        client: CLIENT,
        transport: undefined,
        correlationId,
        moveName,
        ...subject,
      });
    for (const row of appointments) {
      if (!(await patients.eraseAppointment(row, now))) throw changedMeanwhile(row.center_id, row.id);
      await note({ centerId: row.center_id, appointmentId: row.id, doctorId: row.doctor_id }, ERASE);
    }
    for (const { id } of feedback) {
      await patients.eraseFeedback(id);
      await note({ feedbackId: id });
    }
    let cancelled = 0;
    for (const { id } of messages) {
      if (await patients.eraseMessage(id, now)) cancelled++;
      await note({ messageId: id });
    }
    for (const { key } of answers) await patients.eraseAnswer(key);
    return cancelled;
  });
}

const changedMeanwhile = (centerId: number, id: number): ServiceError =>
  new ServiceError(
    'Unavailable',
    `Appointment ${id} of center ${centerId} was changed meanwhile; nothing was erased. Run the command again.`,
  );
