import type { ErrorCode } from '../vocabulary/errors.ts';
import type { CountedEvents } from './counted-events.ts';
import type { Log } from './log.ts';
import { createMinuteBudget } from './minute-budget.ts';

/** Whether one more refused call gets a line in the log. */
export type MayLog = (code: ErrorCode) => boolean;

/** Lines per minute. A caller that sends nonsense at full speed must not be able to fill the disk that contains the appointments. */
const MOST_A_MINUTE = 1000;

/** Allows one line for each of the first 1000 calls per minute that were refused with the same code. */
export const createLogBudget = (dependencies: {
  readonly log: Log;
  readonly clock: () => number;
  readonly counted: CountedEvents;
}): MayLog => createMinuteBudget({ ...dependencies, most: MOST_A_MINUTE, event: 'refusals not logged' });
