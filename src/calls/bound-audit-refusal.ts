import { createMinuteBudget } from '../log/minute-budget.ts';
import type { AuditRefusal, AuditRefusalDependencies } from './audit-refusal.ts';

/** Rows a minute. Strangers must not fill the disk; the log has more of them. */
const MOST_A_MINUTE = 120;

/**
 * Audits refusals, but those above 120 a minute only by their number, in the log. Each code has a minute of its own: a flood of one
 * kind must not hide another.
 */
export function boundAuditRefusal(
  auditRefusal: AuditRefusal,
  { log, clock }: Pick<AuditRefusalDependencies, 'log' | 'clock'>,
): AuditRefusal {
  const mayAudit = createMinuteBudget({ most: MOST_A_MINUTE, event: 'refusals not audited', log, clock });
  return async (call) => {
    if (mayAudit(call.code)) await auditRefusal(call);
  };
}
