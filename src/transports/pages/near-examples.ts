import type { Contract, Field, Parameter, RecordType } from '../../contract/contract.ts';
import { parseXsdDateTime } from '../../contract/xsd-date-time.ts';
import { wallMinuteAt } from '../../rules/time-zone.ts';
import { dayOf, formatWallDay, type WallMinute, wallMinute } from '../../rules/wall-minute.ts';

const DAY = 24 * 60;
const DAYS_A_WEEK = 7;
/** The date at a center may be a day ahead of that in the time zone that determines today's date. */
const DAYS_AHEAD = 2;

/** How many weeks to move the contract's examples by, so that the earliest is 2 to 8 days after the instant `now`, in milliseconds. */
export function weeksToNearExamples({ operations }: Contract, now: number, timeZone: string): number {
  const days = operations.flatMap(({ parameters }) => parameters.map(exampleDay)).filter((day) => day !== undefined);
  if (days.length === 0) return 0;
  const first = dayOf(wallMinuteAt(now, timeZone)) + DAYS_AHEAD;
  return Math.ceil((first - dayOf(Math.min(...days))) / DAYS_A_WEEK);
}

/**
 * The contract with its dateTime examples moved by whole weeks, so that a copied sample requests a day that can be booked. Weekdays and the
 * intervals between the examples stay the same, so the examples of an operation remain consistent.
 */
export const withExamplesMoved = (contract: Contract, weeks: number): Contract => ({
  ...contract,
  operations: contract.operations.map((operation) => ({
    ...operation,
    parameters: operation.parameters.map((parameter) => withExampleMoved(parameter, weeks)),
    resultType: withFieldsMoved(operation.resultType, weeks),
  })),
});

const withFieldsMoved = (record: RecordType, weeks: number): RecordType => ({
  ...record,
  fields: record.fields.map((field) =>
    typeof field.type === 'object'
      ? { ...field, type: withFieldsMoved(field.type, weeks) }
      : withExampleMoved(field, weeks),
  ),
});

function withExampleMoved<T extends Exemplified>(described: T, weeks: number): T {
  const { example } = described;
  const day = exampleDay(described);
  if (day === undefined || example === undefined) return described;
  return { ...described, example: example.replace(/^[^T]*/, formatWallDay(day + weeks * DAYS_A_WEEK * DAY)) };
}

type Exemplified = Pick<Parameter | Field, 'type' | 'example'>;

/** Midnight of the day of a dateTime example; undefined for other types. */
function exampleDay({ type, example }: Exemplified): WallMinute | undefined {
  if (type !== 'dateTime' || example === undefined) return undefined;
  const value = parseXsdDateTime(example);
  return typeof value === 'object' && value.date !== undefined ? wallMinute(value.date, 0, 0) : undefined;
}
