import type { AuditEvent } from '../../store/queries/audit-queries.ts';
import type { AppointmentRow, FeedbackRow, KeptAnswerRow, MessageRow } from '../../store/queries/patient-queries.ts';
import type { Store } from '../../store/store.ts';

export interface PersonRecords {
  readonly appointments: readonly AppointmentRow[];
  readonly feedback: readonly FeedbackRow[];
  readonly messages: readonly MessageRow[];
}

/** What the service stores elsewhere about these records. */
export interface AboutRecords {
  readonly answers: readonly KeptAnswerRow[];
  readonly audit: readonly AuditEvent[];
}

export const aboutRecords = async (store: Store, records: PersonRecords): Promise<AboutRecords> => ({
  answers: await answersAbout(store, records),
  audit: await auditAbout(store, records),
});

const appointmentKey = (centerId: unknown, id: unknown): string => `${centerId} ${id}`;

/** Answers stored for repeated calls that are about one of the records, found by the ids in them. */
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

/** Ids of each kind per query: databases limit the number of values in a statement. */
const MOST_IDS = 1000;

/** The audit rows of the records. */
async function auditAbout(store: Store, { appointments, feedback, messages }: PersonRecords) {
  const ofAppointment = new Set(appointments.map((row) => appointmentKey(row.center_id, row.id)));
  const events: AuditEvent[] = [];
  for (let from = 0; from < Math.max(appointments.length, feedback.length, messages.length); from += MOST_IDS) {
    const ids = (rows: readonly { readonly id: number }[]) => rows.slice(from, from + MOST_IDS).map(({ id }) => id);
    const page = { appointmentIds: ids(appointments), feedbackIds: ids(feedback), messageIds: ids(messages) };
    for (const event of await store.read(({ patients }) => patients.auditOf(page))) events.push(event);
  }
  // Another center may have an appointment with the same number.
  return events
    .filter(
      ({ centerId, appointmentId }) =>
        appointmentId === null || ofAppointment.has(appointmentKey(centerId, appointmentId)),
    )
    .sort((a, b) => a.id - b.id);
}
