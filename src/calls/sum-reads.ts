import { ANONYMOUS, callerName } from '../access/client.ts';
import { type AuditEntry, type AuditSubject, MOST_SHOWN, shownRecord } from '../store/queries/audit-queries.ts';
import { ResultCode } from '../vocabulary/result-codes.ts';
import { quantity } from '../vocabulary/text.ts';
import { type AuditRefusalDependencies, tryToAudit } from './audit-refusal.ts';
import type { Call } from './call.ts';

interface ReadSum {
  readonly entry: AuditEntry;
  readonly shown: Set<string>;
  count: number;
}

/** Unknown ids per minute. A program that follows its own bookings asks for none. */
const MANY_UNKNOWN = 100;

/**
 * Records reads of single appointments, which do not say who the patient is, but which doctor somebody sees, and when. Clients repeat them
 * often, so a row has those of a minute: one for each center, with the appointments, and one for ids that do not exist. `subject` is absent
 * for those. `address` of a client that is not identified is its network.
 */
export function createSumReads({ store, log, clock, budgets }: AuditRefusalDependencies) {
  const sumOf = budgets.perMinute<ReadSum>(({ entry, shown, count }) => {
    const { client, address, correlationId, outcome, operation } = entry;
    const isUnknown = outcome !== 0;
    if (isUnknown && count >= MANY_UNKNOWN) {
      log.warn('many unknown appointments asked for', { operation, client, address, correlationId, count });
    }
    const errorCode = isUnknown ? quantity(count, 'unknown id') : quantity(count, 'read');
    return tryToAudit(store, log, {
      ...entry,
      recordedOn: clock(),
      errorCode,
      shown: [...shown].join(' ') || undefined,
    });
  });

  return (call: Call, subject?: AuditSubject): void => {
    const { operation, client, network, correlationId } = call;
    const sum = sumOf(`${callerName(call)} ${operation.name} ${subject?.centerId}`, () => {
      const entry: AuditEntry = {
        recordedOn: clock(),
        operation: operation.name,
        action: 'R',
        outcome: subject ? 0 : 4,
        resultCode: subject ? ResultCode.OK : ResultCode.AppointmentNotFound,
        client: client.name,
        address: client === ANONYMOUS ? network : undefined,
        correlationId,
        centerId: subject?.centerId,
      };
      return { entry, shown: new Set(), count: 0 };
    });
    sum.count++;
    // A client that reads more in a minute copies the hospital, and the count says so.
    if (subject && sum.shown.size < MOST_SHOWN) sum.shown.add(shownRecord(subject));
  };
}
