import type { ErrorCode } from '../vocabulary/errors.ts';
import type { Log } from './log.ts';

const MINUTE = 60_000;

export interface MinuteBudgetDependencies {
  /** How many of each code per minute. */
  readonly most: number;
  /** What the log says about the others. */
  readonly event: string;
  readonly log: Log;
  readonly clock: () => number;
}

/**
 * Decides whether one more event with a code is within the budget of its minute. One log line gives the number of those that were not, when the next
 * one comes after that minute. Each code has its own minute, so that a flood of one kind does not hide another.
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
