import type { Store } from '../store/store.ts';
import { inTime } from '../vocabulary/in-time.ts';
import { checkAccess, checkHost, checkIssuers, checkTls } from './access.ts';
import { checkFileRights } from './files.ts';
import { CHECKS, type Check, type Context, type Finding, findingsOf, recordFindings, warning } from './finding.ts';
import { checkClock, checkDescriptors, checkDisk } from './machine.ts';
import { checkDemoData, checkRecordedClock, RECORD_CHECKS } from './records.ts';
import { checkAddress, checkDestination, checkGrowth, checkPeriods, checkProxies } from './settings.ts';

/** Everything but the records that can be looked at again and again, because it is quick and disturbs nothing. */
export const QUICK_CHECKS: readonly Check[] = [
  checkClock,
  checkDisk,
  checkDescriptors,
  checkGrowth,
  checkFileRights,
  checkPeriods,
  checkAddress,
  checkProxies,
  checkHost,
  checkAccess,
  checkTls,
  checkIssuers,
  checkDestination,
];

/**
 * What a running service finds, for its page and its metrics. While the database cannot be read, or takes longer than `limitMs`, the records
 * are left out.
 */
export async function serviceFindings(context: Context, store: Store, limitMs: number): Promise<readonly Finding[]> {
  const found = await findingsOf(QUICK_CHECKS, context);
  const reading = recordFindings(RECORD_CHECKS, context, store);
  try {
    return [
      ...found,
      ...((await inTime(reading, limitMs)) ?? [warning('database', `It did not answer within ${limitMs / 1000} s.`)]),
    ];
  } catch {
    // Readiness says so.
    return found;
  }
}

const WARNED_OF: ReadonlySet<string> = new Set(
  Object.entries(CHECKS).flatMap(([subject, [, atStart]]) => (atStart?.startsWith('warns') ? subject : [])),
);

/** What a start warns of. */
export async function startWarnings(context: Context, store: Store): Promise<readonly Finding[]> {
  const found = await findingsOf(QUICK_CHECKS, context);
  const recorded = await recordFindings([checkDemoData, checkRecordedClock], context, store);
  return [...found, ...recorded].filter(({ verdict, subject }) => verdict !== 'ok' && WARNED_OF.has(subject));
}
