import type { CountedEvents } from '../log/counted-events.ts';
import { createMinuteBudget } from '../log/minute-budget.ts';
import type { AuditRefusal, AuditRefusalDependencies } from './audit-refusal.ts';

/** Rows per minute. Strangers must not be able to fill the disk. The log allows more lines. */
const MOST_A_MINUTE = 120;

/**
 * Audits at most 120 refusals with each code per minute, and logs only the number of the others. Each code has its own minute, so that a
 * flood of one kind does not hide another.
 */
export function boundAuditRefusal(
  auditRefusal: AuditRefusal,
  { log, clock, counted }: Pick<AuditRefusalDependencies, 'log' | 'clock'> & { readonly counted: CountedEvents },
): AuditRefusal {
  const mayAudit = createMinuteBudget({ most: MOST_A_MINUTE, event: 'refusals not audited', log, clock, counted });
  return async (call) => {
    if (mayAudit(call.code)) await auditRefusal(call);
  };
}
