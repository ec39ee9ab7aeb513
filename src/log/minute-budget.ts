import type { ErrorCode } from '../vocabulary/errors.ts';
import type { Log } from './log.ts';

const MINUTE = 60_000;

export interface MinuteBudgetDependencies {
  /** How many of each code, a minute. */
  readonly most: number;
  /** What the log says of the others. */
  readonly event: string;
  readonly log: Log;
  readonly clock: () => number;
}

/**
 * Tells whether one more event with a code is within its minute's budget; one line of the log has the number of those that were not, when the next
 * comes after that minute. Each code has a minute of its own: a flood of one kind must not hide another.
 */
export function createMinuteBudget({
  most,
  event,
  log,
  clock,
}: MinuteBudgetDependencies): (code: ErrorCode) => boolean {
  const minutes = new Map<ErrorCode, { began: number; count: number }>();
  return (code) => {
    const now = clock();
    const minute = minutes.get(code) ?? { began: now, count: 0 };
    minutes.set(code, minute);
    if (now - minute.began >= MINUTE) {
      if (minute.count > most) log.warn(event, { code, count: minute.count - most });
      minute.began = now;
      minute.count = 0;
    }
    return ++minute.count <= most;
  };
}
