import type { ErrorCode } from '../vocabulary/errors.ts';
import type { Log } from './log.ts';

/** Whether one more call that was turned away gets a line of the log. */
export type MayLog = (code: ErrorCode) => boolean;

const MINUTE = 60_000;
/** Lines a minute. Whoever sends nonsense as fast as they can must not fill the disk that the appointments are on. */
const MOST_A_MINUTE = 1000;

/**
 * A line for each of the first 1000 calls a minute that were turned away with a code, and one for the number of all others, when the next
 * comes after that minute. Each code has a minute of its own: a flood of one kind must not hide another.
 */
export function createLogBudget({ log, clock }: { readonly log: Log; readonly clock: () => number }): MayLog {
  const minutes = new Map<ErrorCode, { began: number; count: number }>();
  return (code) => {
    const now = clock();
    const minute = minutes.get(code) ?? { began: now, count: 0 };
    minutes.set(code, minute);
    if (now - minute.began >= MINUTE) {
      if (minute.count > MOST_A_MINUTE) log.warn('refusals not logged', { code, count: minute.count - MOST_A_MINUTE });
      minute.began = now;
      minute.count = 0;
    }
    return ++minute.count <= MOST_A_MINUTE;
  };
}
