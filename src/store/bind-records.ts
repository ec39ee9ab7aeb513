import { AppointmentRecords } from './records/appointment-records.ts';
import { FeedbackRecords } from './records/feedback-records.ts';
import { MessageRecords } from './records/message-records.ts';
import { ReferenceRecords } from './records/reference-records.ts';
import type { Session } from './statement.ts';
import type { Records } from './store.ts';

/** The queries, bound to a connection or transaction. */
export const bindRecords = (session: Session): Records => ({
  reference: new ReferenceRecords(session),
  appointments: new AppointmentRecords(session),
  feedback: new FeedbackRecords(session),
  messages: new MessageRecords(session),
});
