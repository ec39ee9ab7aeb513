import type { Contract, Field, Parameter, RecordType } from '../../contract/contract.ts';

/** The date at a center may be a day ahead of that in the time zone that determines today's date. */
const DAYS_AHEAD = 2;

/** How many weeks to move the contract's examples by, so that the earliest is 2 to 8 days after the instant `now`, in milliseconds. */
export function weeksToNearExamples({ operations }: Contract, now: number, timeZone: string): number {
  const days = operations.flatMap(({ parameters }) => parameters.filter(isDated)).map(({ example }) => dayOf(example));
  const [earliest] = days.sort(Temporal.PlainDate.compare);
  if (earliest === undefined) return 0;
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate();
  return Math.ceil((earliest.until(today).days + DAYS_AHEAD) / 7);
}

/**
 * The contract with its dateTime examples moved by whole weeks, so that a copied sample requests a day that can be booked. Weekdays and the
 * intervals between the examples stay the same, so the examples of an operation remain consistent.
 */
export function withExamplesMoved(contract: Contract, weeks: number): Contract {
  const moved = <T extends Pick<Field, 'type' | 'example'>>(described: T): T =>
    isDated(described)
      ? { ...described, example: dayOf(described.example).add({ weeks }).toString() + described.example.slice(10) }
      : described;
  const movedFields = (record: RecordType): RecordType => ({
    ...record,
    fields: record.fields.map((field) =>
      typeof field.type === 'object' ? { ...field, type: movedFields(field.type) } : moved(field),
    ),
  });
  return {
    ...contract,
    operations: contract.operations.map((operation) => ({
      ...operation,
      parameters: operation.parameters.map((parameter) => moved(parameter)),
      resultType: movedFields(operation.resultType),
    })),
  };
}

const isDated = <T extends Pick<Parameter | Field, 'type' | 'example'>>(
  described: T,
): described is T & { readonly example: string } => described.type === 'dateTime' && described.example !== undefined;

const dayOf = (example: string): Temporal.PlainDate => Temporal.PlainDate.from(example.slice(0, 10));
