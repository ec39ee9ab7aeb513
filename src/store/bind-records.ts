import { AppointmentRecords } from './records/appointment-records.ts';
import { ExportRecords } from './records/export-records.ts';
import { FeedbackRecords } from './records/feedback-records.ts';
import { HistoryRecords } from './records/history-records.ts';
import { IdempotencyRecords } from './records/idempotency-records.ts';
import { MessageRecords } from './records/message-records.ts';
import { ReferenceRecords } from './records/reference-records.ts';
import { ReferenceTableRecords } from './records/reference-table-records.ts';
import type { Session } from './statement.ts';
import type { Records } from './store.ts';

/** The queries, bound to a connection or transaction. */
export const bindRecords = (session: Session): Records => ({
  reference: new ReferenceRecords(session),
  referenceTables: new ReferenceTableRecords(session),
  appointments: new AppointmentRecords(session),
  history: new HistoryRecords(session),
  feedback: new FeedbackRecords(session),
  idempotency: new IdempotencyRecords(session),
  messages: new MessageRecords(session),
  exports: new ExportRecords(session),
});
