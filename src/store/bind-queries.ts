import { AppointmentQueries } from './queries/appointment-queries.ts';
import { AuditQueries } from './queries/audit-queries.ts';
import { ExportQueries } from './queries/export-queries.ts';
import { FactQueries } from './queries/fact-queries.ts';
import { FeedbackQueries } from './queries/feedback-queries.ts';
import { IdempotencyQueries } from './queries/idempotency-queries.ts';
import { ImportQueries } from './queries/import-queries.ts';
import { MessageListQueries } from './queries/message-list-queries.ts';
import { MessageQueries } from './queries/message-queries.ts';
import { NonceQueries } from './queries/nonce-queries.ts';
import { OutboxQueries } from './queries/outbox-queries.ts';
import { PatientQueries } from './queries/patient-queries.ts';
import { ReferenceQueries } from './queries/reference-queries.ts';
import { ReferenceTableQueries } from './queries/reference-table-queries.ts';
import type { Session } from './session.ts';
import type { Queries } from './store.ts';

/** The queries, bound to a connection or transaction. */
export function bindQueries(session: Session): Queries {
  return {
    reference: new ReferenceQueries(session),
    referenceTables: new ReferenceTableQueries(session),
    appointments: new AppointmentQueries(session),
    audit: new AuditQueries(session),
    facts: new FactQueries(session),
    feedback: new FeedbackQueries(session),
    idempotency: new IdempotencyQueries(session),
    messages: new MessageQueries(session),
    messageList: new MessageListQueries(session),
    outbox: new OutboxQueries(session),
    nonces: new NonceQueries(session),
    exports: new ExportQueries(session),
    patients: new PatientQueries(session),
    imports: new ImportQueries(session),
  };
}
