import type { AuditRefusal, AuditRefusalDependencies } from './audit-refusal.ts';

const MINUTE = 60_000;
/** Rows a minute. Strangers must not fill the disk: the log has every refusal, the audit of a busy minute how many there were. */
const MOST_A_MINUTE = 120;

/** Audits refusals, but those above 120 a minute only by their number, in the log. */
export function boundAuditRefusal(
  auditRefusal: AuditRefusal,
  { log, clock }: Pick<AuditRefusalDependencies, 'log' | 'clock'>,
): AuditRefusal {
  let began = Number.NEGATIVE_INFINITY;
  let count = 0;
  return async (call) => {
    const now = clock();
    if (now - began >= MINUTE) {
      if (count > MOST_A_MINUTE) log.warn('refusals not audited', { count: count - MOST_A_MINUTE });
      began = now;
      count = 0;
    }
    count++;
    if (count <= MOST_A_MINUTE) await auditRefusal(call);
  };
}
