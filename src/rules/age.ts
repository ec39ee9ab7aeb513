import { Refusal } from '../vocabulary/result-codes.ts';
import { shown } from '../vocabulary/text.ts';
import { saysNothing } from './says-nothing.ts';

type AgeUnit = 'Y' | 'M' | 'W' | 'D';

export interface Age {
  /** As it was sent. */
  readonly text: string;
  readonly value: number;
  readonly unit: AgeUnit;
}

/** 150 years in each unit. */
const GREATEST: Readonly<Record<AgeUnit, number>> = { Y: 150, M: 1800, W: 7826, D: 54_786 };
/** Longer than any age, so that the pattern is not tried on long texts. */
const MAX_LENGTH = 40;

const YEARS = 'y|yrs?|years?';
const MONTHS = 'm|mo|mos|mths?|months?';
const DAYS = 'd|days?';
const ONE_UNIT = new RegExp(`^(\\d{1,9}) ?(${YEARS}|${MONTHS}|w|wks?|weeks?|${DAYS})?$`);
const DECIMAL_YEARS = new RegExp(`^(\\d{1,9}\\.\\d{1,3}) ?(?:${YEARS})?$`);
const SEVERAL_UNITS = new RegExp(
  `^(\\d{1,9}) ?(?:${YEARS}) ?(?:(\\d{1,9}) ?(?:${MONTHS}))?(?: ?(\\d{1,9}) ?(?:${DAYS}))?$`,
);

/**
 * An age of at most 150 years: `34`, `34.5`, `34Y`, `34 years`, `6M`, `3W`, `12D`, `2Y 6M` or `2Y 6M 3D`. Returns undefined if it is
 * absent, blank, `NA` or `-`. Throws Refusal InvalidInput.
 */
export function parseAge(text: string | undefined): Age | undefined {
  if (saysNothing(text)) return undefined;
  const age = text.length > MAX_LENGTH ? undefined : readAge(text.trim().replace(/\s+/g, ' ').toLowerCase());
  if (age === undefined) {
    throw refusal(text, 'is not an age; expected years such as 34, 34.5 or 34Y, or 6M, 3W, 12D, 2Y 6M or 2Y 6M 3D');
  }
  if (age.value > GREATEST[age.unit]) throw refusal(text, 'is too high; expected at most 150 years');
  return { text, ...age };
}

type Measured = Pick<Age, 'value' | 'unit'>;

function readAge(text: string): Measured | undefined {
  const one = ONE_UNIT.exec(text);
  if (one !== null) return { value: Number(one[1]), unit: (one[2]?.charAt(0).toUpperCase() ?? 'Y') as AgeUnit };
  const decimal = DECIMAL_YEARS.exec(text);
  if (decimal !== null) return inYearsOrMonths(Math.round(Number(decimal[1]) * 12));
  const [, years, months = 0, days = 0] = SEVERAL_UNITS.exec(text) ?? [];
  if (years === undefined) return undefined;
  const inMonths = Number(years) * 12 + Number(months);
  // If the age is in months, its days remain only in the text, because no number of months can represent them.
  return inMonths === 0 ? { value: Number(days), unit: 'D' } : inYearsOrMonths(inMonths);
}

const inYearsOrMonths = (months: number): Measured =>
  months % 12 === 0 ? { value: months / 12, unit: 'Y' } : { value: months, unit: 'M' };

function refusal(text: string, problem: string): Refusal {
  return new Refusal('InvalidInput', `Parameter Age: "${shown(text)}" ${problem}.`, 'Age');
}
