import type { AuditAction, AuditOutcome, AuditSubject } from '../../store/queries/audit-queries.ts';
import type { AppointmentRow } from '../../store/queries/patient-queries.ts';
import type { Store } from '../../store/store.ts';
import { ServiceError } from '../../vocabulary/errors.ts';
import { ResultCode } from '../../vocabulary/result-codes.ts';
import { ERASURE } from './erasure.ts';
import type { PersonData } from './find-person.ts';
import { PASSING_REASONS, type Unclear } from './unclear-record.ts';

interface Note {
  readonly action: AuditAction;
  readonly outcome: AuditOutcome;
  readonly resultCode?: number;
  readonly errorCode?: string;
}

const ERASED_NOTE: Note = { action: 'U', outcome: 0, resultCode: ResultCode.OK };
/** Recorded as a refusal: the record would have been erased if it were clear that it is the person's. */
const LEFT_OUT_NOTE: Note = { action: 'R', outcome: 4, errorCode: ERASURE.leftOut };

/**
 * Removes what identifies the person, in one transaction with one audit row per record. Slots, statuses and counts stay. A record that was
 * left out, and would seem to be clear after this, gets a row as well. Returns how many messages were cancelled. Throws ServiceError if an
 * appointment was changed since it was found, in which case nothing is erased. `now`: ms.
 */
export function erasePerson(
  store: Store,
  { appointments, feedback, messages, answers, unclear }: PersonData,
  { now, correlationId }: { readonly now: number; readonly correlationId: string },
): Promise<number> {
  return store.write(async ({ patients, audit }) => {
    const note = (subject: AuditSubject & { readonly moveName?: string }, { action, outcome, ...result }: Note) =>
      audit.add({
        now,
        operation: ERASURE.operation,
        action,
        outcome,
        client: ERASURE.client,
        transport: undefined,
        correlationId,
        ...result,
        ...subject,
      });
    for (const row of appointments) {
      if (!(await patients.eraseAppointment(row, now))) throw changedMeanwhile(row);
      await note({ ...subjectOf(row), moveName: ERASURE.operation }, ERASED_NOTE);
    }
    for (const { id } of feedback) {
      await patients.eraseFeedback(id);
      await note({ feedbackId: id }, ERASED_NOTE);
    }
    let cancelled = 0;
    for (const { id } of messages) {
      if (await patients.eraseMessage(id, now)) cancelled++;
      await note({ messageId: id }, ERASED_NOTE);
    }
    for (const { key } of answers) await patients.eraseAnswer(key);
    for (const row of passing(unclear.appointments)) await note(subjectOf(row), LEFT_OUT_NOTE);
    for (const { id } of passing(unclear.feedback)) await note({ feedbackId: id }, LEFT_OUT_NOTE);
    for (const { id } of passing(unclear.messages)) await note({ messageId: id }, LEFT_OUT_NOTE);
    return cancelled;
  });
}

const subjectOf = ({ center_id: centerId, id, doctor_id: doctorId }: AppointmentRow): AuditSubject => ({
  centerId,
  appointmentId: id,
  doctorId,
});

const passing = <Row>(records: readonly Unclear<Row>[]): readonly Row[] =>
  records.filter(({ reason }) => PASSING_REASONS.has(reason)).map(({ row }) => row);

const changedMeanwhile = ({ center_id: centerId, id }: AppointmentRow): ServiceError =>
  new ServiceError(
    'Unavailable',
    `Appointment ${id} of center ${centerId} was changed in the meantime; nothing was erased. Run the command again.`,
  );
