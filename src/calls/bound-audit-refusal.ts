import type { CountedEvents } from '../log/counted-events.ts';
import { createMinuteBudget } from '../log/minute-budget.ts';
import type { AuditRefusal, AuditRefusalDependencies } from './audit-refusal.ts';

/** Rows per minute. Strangers must not fill the disk; the log allows more lines. */
const MOST_A_MINUTE = 120;

/**
 * Audits refusals; of those above 120 per minute, the log gives only the number. Each code has its own minute, so that a flood of one
 * kind does not hide another.
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
