import type { Contract } from '../../contract/contract.ts';

/** The date at a center may be a day ahead of that in the time zone that determines today's date. */
const DAYS_AHEAD = 2;
const DAY_AND_TIME = /^\d{4}-\d\d-\d\dT/;

/** How many weeks to move the contract's examples by, so that the earliest is 2 to 8 days after the instant `now`, in milliseconds. */
export function weeksToNearExamples({ operations }: Contract, now: number, timeZone: string): number {
  const dated = operations.flatMap(({ parameters }) => parameters.filter(({ type }) => type === 'dateTime'));
  const [earliest] = dated.map(({ example }) => exampleDay(example)).sort(Temporal.PlainDate.compare);
  if (earliest === undefined) return 0;
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate();
  return Math.ceil((earliest.until(today).days + DAYS_AHEAD) / 7);
}

/** Examples of this installation, by the names of their fields in lower case. */
export type Examples = Readonly<Record<string, number>>;

/**
 * The contract with its dateTime examples moved by whole weeks, so that a copied sample requests a day that can be booked. Weekdays and the
 * intervals between the examples stay the same, so the examples of an operation remain consistent.
 */
export const withNearExamples = (contract: Contract, weeks: number, known: Examples = {}): Contract =>
  JSON.parse(JSON.stringify(contract), function (this: { readonly name?: string }, name, value) {
    if (name !== 'example') return value;
    if (DAY_AND_TIME.test(value)) return exampleDay(value).add({ weeks }).toString() + value.slice(10);
    return String(known[this.name?.toLowerCase() ?? ''] ?? value);
  });

const exampleDay = (example: string): Temporal.PlainDate => Temporal.PlainDate.from(example.slice(0, 10));
