import type { AuditEvent } from '../../store/records/audit-records.ts';
import type { AppointmentRow, FeedbackRow, KeptAnswerRow, MessageRow } from '../../store/records/patient-records.ts';
import type { Store } from '../../store/store.ts';

/** The records of a person. */
export interface PersonRecords {
  readonly appointments: readonly AppointmentRow[];
  readonly feedback: readonly FeedbackRow[];
  readonly messages: readonly MessageRow[];
}

/** What the service has about these records elsewhere. */
export interface AboutRecords {
  readonly answers: readonly KeptAnswerRow[];
  readonly audit: readonly AuditEvent[];
}

export const aboutRecords = async (store: Store, records: PersonRecords): Promise<AboutRecords> => ({
  answers: await answersAbout(store, records),
  audit: await auditAbout(store, records),
});

const appointmentKey = (centerId: unknown, id: unknown): string => `${centerId} ${id}`;

/** Answers kept for repeated calls that are about one of the records, by the ids in them. */
async function answersAbout(store: Store, { appointments, feedback, messages }: PersonRecords) {
  const ofAppointment = new Set(appointments.map((row) => appointmentKey(row.center_id, row.id)));
  const ofFeedback = new Set<unknown>(feedback.map(({ id }) => id));
  const ofMessage = new Set<unknown>(messages.map(({ id }) => id));
  const answers: KeptAnswerRow[] = [];
  for (let last = ''; ; ) {
    const page = await store.read(({ patients }) => patients.answersAfter(last));
    for (const row of page) {
      const { centerid, AppointmentID, FeedbackID, SMSID }: Readonly<Record<string, unknown>> = JSON.parse(row.answer);
      const isAbout =
        ofAppointment.has(appointmentKey(centerid, AppointmentID)) ||
        ofFeedback.has(FeedbackID) ||
        ofMessage.has(SMSID);
      if (isAbout) answers.push(row);
    }
    const end = page.at(-1);
    if (end === undefined) return answers;
    last = end.key;
  }
}

/** The audit rows of the records. */
async function auditAbout(store: Store, { appointments, feedback, messages }: PersonRecords) {
  const ofAppointment = new Set(appointments.map((row) => appointmentKey(row.center_id, row.id)));
  const ids = {
    appointmentIds: appointments.map(({ id }) => id),
    feedbackIds: feedback.map(({ id }) => id),
    messageIds: messages.map(({ id }) => id),
  };
  if (Object.values(ids).every((list) => list.length === 0)) return [];
  const events = await store.read(({ patients }) => patients.auditOf(ids));
  // Another center may have an appointment with the same number.
  return events.filter(
    ({ centerId, appointmentId }) =>
      appointmentId === null || ofAppointment.has(appointmentKey(centerId, appointmentId)),
  );
}
