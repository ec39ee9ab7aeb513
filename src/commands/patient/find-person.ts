import type { AuditEvent } from '../../store/records/audit-records.ts';
import type { AppointmentRow, FeedbackRow, KeptAnswerRow, MessageRow } from '../../store/records/patient-records.ts';
import type { Store } from '../../store/store.ts';
import { appointmentsOfPerson, type PersonSearch } from './appointments-of-person.ts';

export interface Wish extends PersonSearch {
  /** In-patient numbers whose feedback is the person's, whatever phone it has. */
  readonly inPatientNumbers: ReadonlySet<string>;
  /** Include what is matched by phone alone even if patients outside of the search have the phone, too. */
  readonly sharedPhone: boolean;
  /** E.164 of a phone as feedback has it; undefined if it is none. */
  readonly phoneOf: (text: string) => string | undefined;
}

/** Everything that is held about a person. */
export interface PersonData {
  readonly appointments: readonly AppointmentRow[];
  readonly feedback: readonly FeedbackRow[];
  readonly messages: readonly MessageRow[];
  readonly answers: readonly KeptAnswerRow[];
  readonly audit: readonly AuditEvent[];
  /** Feedback and messages that were left out because other patients have their phone. */
  readonly leftOut: { readonly feedback: number; readonly messages: number };
}

/**
 * Searches the whole database. Feedback and messages identify a patient only by phone: those whose phone also belongs to appointments of
 * somebody else are left out, unless `sharedPhone`.
 */
export async function findPerson(store: Store, wish: Wish): Promise<PersonData> {
  const { own, others } = await appointmentsOfPerson(wish, (keys, phones) =>
    store.read(({ patients }) => patients.appointmentsOf(keys, phones)),
  );
  const phones = new Set([...own.map(({ phone }) => phone), ...(wish.phone === undefined ? [] : [wish.phone])]);
  const shared = new Set(wish.sharedPhone ? [] : others.map(({ phone }) => phone));
  const found = await store.read(({ patients }) => patients.messagesTo([...phones]));
  const messages = found.filter(({ mobile }) => !shared.has(mobile));
  const feedback: FeedbackRow[] = [];
  let leftOut = 0;
  for await (const row of allFeedback(store)) {
    const phone = row.mobile === null ? undefined : wish.phoneOf(row.mobile);
    if (wish.inPatientNumbers.has(row.ipno)) feedback.push(row);
    else if (phone !== undefined && phones.has(phone)) shared.has(phone) ? leftOut++ : feedback.push(row);
  }
  const records = { appointments: own, feedback, messages };
  return {
    ...records,
    answers: await answersAbout(store, records),
    audit: await auditAbout(store, records),
    leftOut: { feedback: leftOut, messages: found.length - messages.length },
  };
}

type PersonRecords = Pick<PersonData, 'appointments' | 'feedback' | 'messages'>;

async function* allFeedback(store: Store): AsyncGenerator<FeedbackRow> {
  for (let last = 0; ; ) {
    const page = await store.read(({ patients }) => patients.feedbackAfter(last));
    yield* page;
    const end = page.at(-1);
    if (end === undefined) return;
    last = end.id;
  }
}

const appointmentKey = (centerId: unknown, id: unknown): string => `${centerId} ${id}`;

/** Answers that are about one of the records, by the ids in them. */
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
