import type { ErrorCode } from '../vocabulary/errors.ts';
import type { AuditRefusal, AuditRefusalDependencies } from './audit-refusal.ts';

const MINUTE = 60_000;
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
  const minutes = new Map<ErrorCode, { began: number; count: number }>();
  return async (call) => {
    const { code } = call;
    const now = clock();
    const minute = minutes.get(code) ?? { began: now, count: 0 };
    minutes.set(code, minute);
    if (now - minute.began >= MINUTE) {
      if (minute.count > MOST_A_MINUTE) log.warn('refusals not audited', { code, count: minute.count - MOST_A_MINUTE });
      minute.began = now;
      minute.count = 0;
    }
    minute.count++;
    if (minute.count <= MOST_A_MINUTE) await auditRefusal(call);
  };
}
