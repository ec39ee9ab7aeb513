import type { ErrorCode } from '../vocabulary/errors.ts';
import type { Log } from './log.ts';
import { createMinuteBudget } from './minute-budget.ts';

/** Whether one more call that was turned away gets a line of the log. */
export type MayLog = (code: ErrorCode) => boolean;

/** Lines a minute. Whoever sends nonsense as fast as they can must not fill the disk that the appointments are on. */
const MOST_A_MINUTE = 1000;

/** A line for each of the first 1000 calls a minute that were turned away with a code. */
export const createLogBudget = (dependencies: { readonly log: Log; readonly clock: () => number }): MayLog =>
  createMinuteBudget({ ...dependencies, most: MOST_A_MINUTE, event: 'refusals not logged' });
