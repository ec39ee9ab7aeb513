import type { AuditEvent } from '../../store/queries/audit-queries.ts';
import type { Store } from '../../store/store.ts';
import { ERASURE } from './erasure.ts';
import { appointmentName, recordName } from './record-name.ts';

/**
 * According to the audit trail, the names of the records that erasures have left out and that have not been erased since: rule 4 of
 * `PersonSearch`.
 */
export async function leftOutRecords(store: Store): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (let last: AuditEvent | undefined; ; ) {
    const after = last;
    const page = await store.read(({ audit }) => audit.page({ client: ERASURE.client }, after));
    for (const event of page) {
      if (event.errorCode === ERASURE.leftOut) names.add(subjectOf(event));
      else names.delete(subjectOf(event));
    }
    last = page.at(-1);
    if (last === undefined) return names;
  }
}

function subjectOf({ centerId, appointmentId, feedbackId, messageId }: AuditEvent): string {
  if (feedbackId !== null) return recordName('feedback', { id: feedbackId });
  if (messageId !== null) return recordName('message', { id: messageId });
  return appointmentName({ center_id: Number(centerId), id: Number(appointmentId) });
}
