import type { FourTransportsAnswer } from '../../support/http/four-transports.ts';
import { NEW_ID } from './hospital-model.ts';
import type { Expectation, ExpectedRecord } from './model-types.ts';

/** An answer's record as parsed from XML: every value is text, and a list with one row is not an array. */
type ReceivedRecord = Readonly<Record<string, unknown>>;

/**
 * Whether the answer is the expected one. Of a refusal only the ResultCode is compared, of other answers every field, but ResultText only
 * where the model has one.
 * Returns the id that the service chose, 0 if there is none to choose, or the difference.
 */
export function answerMatches(
  { record: expected, isTaken }: Expectation,
  { record, status, text }: FourTransportsAnswer,
): { readonly id: number } | { readonly difference: string } {
  if (Number(expected.ResultCode) >= 10 || status !== 200) {
    const code = record?.ResultCode;
    if (code === String(expected.ResultCode)) return { id: 0 };
    const got = code ?? `HTTP ${status}: ${text.slice(0, 200)}`;
    return { difference: `expected ResultCode ${String(expected.ResultCode)}, got ${got}` };
  }
  let id = 0;
  const difference = differenceOf(expected, record, (name, given) => {
    id = Number(given);
    if (Number.isInteger(id) && id > 0 && isTaken?.(id) === false) return undefined;
    return `${name}: ${given} is no new id`;
  });
  return difference === undefined ? { id } : { difference };
}

/** Fields of GetDoctor's rows that no operation changes are left to other tests. */
const PARTLY_COMPARED = 'Doctors';

function differenceOf(
  expected: ExpectedRecord,
  record: ReceivedRecord,
  newId: (name: string, given: unknown) => string | undefined,
  isPart = false,
): string | undefined {
  for (const name of isPart ? Object.keys(expected) : new Set([...Object.keys(expected), ...Object.keys(record)])) {
    const value = expected[name];
    const given = record[name];
    if (name === 'ResultText' && value === undefined) continue;
    if (value === NEW_ID) {
      const difference = newId(name, given);
      if (difference !== undefined) return difference;
    } else if (typeof value === 'object') {
      const rows = rowsOf(given);
      if (rows.length !== value.length) return `${name}: expected ${value.length} rows, got ${rows.length}`;
      for (const [index, row] of value.entries()) {
        const difference = differenceOf(row, rows[index] ?? {}, newId, name === PARTLY_COMPARED);
        if (difference !== undefined) return `${name} ${index + 1}: ${difference}`;
      }
    } else if (given !== (value === undefined ? undefined : String(value))) {
      return `${name}: expected ${String(value)}, got ${given}`;
    }
  }
  return undefined;
}

/** The rows of a list element, which contains one kind of child. */
function rowsOf(list: unknown): readonly ReceivedRecord[] {
  if (typeof list !== 'object' || list === null) return [];
  return Object.values(list).flat();
}
