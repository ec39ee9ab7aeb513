import type { Contract, Parameter } from '../../contract/contract.ts';
import { parseXsdDateTime } from '../../contract/xsd-date-time.ts';
import { dayOf, formatWallDay, type WallMinute, wallMinute, wallMinuteAt } from '../../rules/wall-time.ts';

const DAY = 24 * 60;
const DAYS_A_WEEK = 7;
/** A center may lie a day ahead of the zone that today is taken from. */
const DAYS_AHEAD = 2;

/** Weeks to move the contract's examples by, so that the earliest lies 2 to 8 days after the moment `now`, in milliseconds. */
export function weeksToNearExamples({ operations }: Contract, now: number, timeZone: string): number {
  const days = operations.flatMap(({ parameters }) => parameters.map(exampleDay)).filter((day) => day !== undefined);
  if (days.length === 0) return 0;
  const first = dayOf(wallMinuteAt(now, timeZone)) + DAYS_AHEAD;
  return Math.ceil((first - dayOf(Math.min(...days))) / DAYS_A_WEEK);
}

/**
 * The contract with its dateTime examples moved by whole weeks, so that a copied sample asks for a day that can be booked. Weekdays
 * and the distances between the examples stay, and with them what the examples of an operation mean to each other.
 */
export const withExamplesMoved = (contract: Contract, weeks: number): Contract => ({
  ...contract,
  operations: contract.operations.map((operation) => ({
    ...operation,
    parameters: operation.parameters.map((parameter) => {
      const day = exampleDay(parameter);
      if (day === undefined) return parameter;
      const moved = formatWallDay(day + weeks * DAYS_A_WEEK * DAY);
      return { ...parameter, example: parameter.example.replace(/^[^T]*/, moved) };
    }),
  })),
});

/** Midnight of the day of a dateTime example; undefined for other types. */
function exampleDay({ type, example }: Parameter): WallMinute | undefined {
  if (type !== 'dateTime') return undefined;
  const value = parseXsdDateTime(example);
  return typeof value === 'object' && value.date !== undefined ? wallMinute(value.date, 0, 0) : undefined;
}
