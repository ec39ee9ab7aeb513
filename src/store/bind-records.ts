import { AppointmentRecords } from './records/appointment-records.ts';
import { AuditRecords } from './records/audit-records.ts';
import { BackupRecords } from './records/backup-records.ts';
import { ExportRecords } from './records/export-records.ts';
import { FeedbackRecords } from './records/feedback-records.ts';
import { IdempotencyRecords } from './records/idempotency-records.ts';
import { ImportRecords } from './records/import-records.ts';
import { MessageListRecords } from './records/message-list-records.ts';
import { MessageRecords } from './records/message-records.ts';
import { NonceRecords } from './records/nonce-records.ts';
import { OutboxGaugeRecords } from './records/outbox-gauge-records.ts';
import { OutboxRecords } from './records/outbox-records.ts';
import { PatientRecords } from './records/patient-records.ts';
import { ReferenceRecords } from './records/reference-records.ts';
import { ReferenceTableRecords } from './records/reference-table-records.ts';
import { SchemaRecords } from './records/schema-records.ts';
import type { Session } from './statement.ts';
import type { Records } from './store.ts';

/** The queries, bound to a connection or transaction. */
export function bindRecords(session: Session): Records {
  const reference = new ReferenceRecords(session);
  return {
    reference,
    referenceTables: new ReferenceTableRecords(session),
    appointments: new AppointmentRecords(session, reference),
    audit: new AuditRecords(session),
    backups: new BackupRecords(session),
    feedback: new FeedbackRecords(session),
    idempotency: new IdempotencyRecords(session),
    messages: new MessageRecords(session),
    messageList: new MessageListRecords(session),
    outbox: new OutboxRecords(session),
    outboxGauge: new OutboxGaugeRecords(session),
    nonces: new NonceRecords(session),
    exports: new ExportRecords(session),
    patients: new PatientRecords(session),
    imports: new ImportRecords(session),
    schema: new SchemaRecords(session),
  };
}
