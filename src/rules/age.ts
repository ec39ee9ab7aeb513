import { shown } from '../vocabulary/errors.ts';
import { Refusal } from '../vocabulary/result-codes.ts';

export type AgeUnit = 'Y' | 'M' | 'W' | 'D';

export interface Age {
  /** As it was given. */
  readonly text: string;
  readonly value: number;
  readonly unit: AgeUnit;
}

/** 150 years in each unit. */
const GREATEST: Readonly<Record<AgeUnit, number>> = { Y: 150, M: 1800, W: 7826, D: 54_786 };
/** Longer than any age; keeps the pattern off long texts. */
const MAX_LENGTH = 40;

const YEARS = 'y|yrs?|years?';
const MONTHS = 'm|mo|mos|mths?|months?';
const ONE_UNIT = new RegExp(`^(\\d{1,9}) ?(${YEARS}|${MONTHS}|w|wks?|weeks?|d|days?)?$`);
const YEARS_AND_MONTHS = new RegExp(`^(\\d{1,9}) ?(?:${YEARS}) ?(\\d{1,9}) ?(?:${MONTHS})$`);

/**
 * An age of at most 150 years: `34`, `34Y`, `34 years`, `6M`, `3W`, `12D`, or `2Y 6M`, which is 30 months. Absent or blank gives
 * undefined. Throws Refusal InvalidInput.
 */
export function parseAge(text: string | undefined): Age | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const age = text.length > MAX_LENGTH ? undefined : readAge(text.trim().replace(/\s+/g, ' ').toLowerCase());
  if (age === undefined) throw refusal(text, 'is not an age; expected years such as 34 or 34Y, 6M, 3W, 12D or 2Y 6M');
  if (age.value > GREATEST[age.unit]) throw refusal(text, 'is too high; expected at most 150 years');
  return { text, ...age };
}

function readAge(text: string): { value: number; unit: AgeUnit } | undefined {
  const both = YEARS_AND_MONTHS.exec(text);
  if (both !== null) return { value: Number(both[1]) * 12 + Number(both[2]), unit: 'M' };
  const one = ONE_UNIT.exec(text);
  if (one === null) return undefined;
  return { value: Number(one[1]), unit: (one[2]?.charAt(0).toUpperCase() ?? 'Y') as AgeUnit };
}

function refusal(text: string, problem: string): Refusal {
  return new Refusal('InvalidInput', `Parameter Age: "${shown(text)}" ${problem}.`, 'Age');
}
