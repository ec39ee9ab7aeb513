import type { CountedEvents } from './counted-events.ts';
import type { Log } from './log.ts';

const MINUTE = 60_000;

export interface MinuteBudgetDependencies {
  /** How many events with each code per minute. A code is an ErrorCode, or another word that distinguishes kinds of events. */
  readonly most: number;
  /** The log event for the excess ones. */
  readonly event: string;
  readonly log: Log;
  readonly clock: () => number;
  readonly counted: CountedEvents;
}

/**
 * Decides whether one more event with a code is within the budget of its minute. Once that minute is over, a log line says how many were
 * not. Each code has its own minute, so that a flood of one kind does not hide another.
 */
export function createMinuteBudget<Code extends string>({
  most,
  event,
  log,
  clock,
  counted,
}: MinuteBudgetDependencies): (code: Code) => boolean {
  const minutes = new Map<Code, { readonly began: number; count: number }>();

  function endMinutes(now: number, all: boolean): void {
    for (const [code, { began, count }] of minutes) {
      // A clock that was set back must not stretch the minute to hours.
      if (!all && now >= began && now - began < MINUTE) continue;
      minutes.delete(code);
      if (count > most) log.warn(event, { code, count: count - most });
    }
  }
  counted.add((all) => endMinutes(clock(), all));

  return (code) => {
    const now = clock();
    endMinutes(now, false);
    let minute = minutes.get(code);
    if (minute === undefined) {
      minute = { began: now, count: 0 };
      minutes.set(code, minute);
    }
    return ++minute.count <= most;
  };
}
