import type { Fetch_DetailsInput } from '../contract/generated-types.ts';
import { bareText, nameKey, registrationKey } from '../vocabulary/patients.ts';
import { Refusal } from '../vocabulary/result-codes.ts';
import type { PatientDetails, PatientParameter } from '../vocabulary/stored-records.ts';
import { asciiDigits, nonBlank, quoted } from '../vocabulary/text.ts';
import { phoneExamples, toE164 } from './phone.ts';

/** The parameters of a booking that describe the patient, as named in the contract. */
export type PatientParameters = Pick<Fetch_DetailsInput, PatientParameter>;

/**
 * Reads the patient from a booking. `phoneRegion`: ISO 3166 region of phone numbers without a country code. Throws Refusal InvalidInput, which
 * names the first invalid parameter.
 */
export function readPatient(input: PatientParameters, phoneRegion: string): PatientDetails {
  const name = required('Name', input.Name, "the patient's name");
  if (!/\p{L}/u.test(name)) {
    throw invalidParameter('Name', name, 'contains no letter; expected the name of the patient');
  }
  const contactNumber = required('contactnumber', input.contactnumber, "the patient's phone number");
  const phone = toE164(contactNumber, phoneRegion);
  if (phone === undefined) {
    const problem = `is not a phone number; expected one such as ${phoneExamples(phoneRegion)}`;
    throw invalidParameter('contactnumber', contactNumber, problem);
  }
  const sex = canonicalSex(input.Sex);
  const age = parseAge(input.Age);
  const registration = registrationKey(input.RegistrationNumber);
  return {
    registrationKey: registration,
    nameKey: nameKey(name),
    registrationNumber: registration === null ? null : (input.RegistrationNumber ?? null),
    title: optionalText(input.title),
    name,
    sex,
    ageText: age?.text ?? null,
    ageValue: age?.value ?? null,
    ageUnit: age?.unit ?? null,
    area: optionalText(input.area),
    phone,
    email: readEmail(input.email) ?? null,
  };
}

function required(parameter: string, sent: string | undefined, what: string): string {
  const text = nonBlank(sent);
  if (text !== undefined) return text;
  throw new Refusal('InvalidInput', `Parameter ${parameter}: ${what} is required.`, parameter);
}

/** What programs and staff enter in a field when they have no value, as `bareText` writes it: `-`, zeros, NA, NOT AVAILABLE. */
const ABSENT =
  /^(?:0*|NA|NIL|NO|NONE|NULL|NOT(?:AVAILABLE|APPLICABLE|GIVEN|KNOWN|PROVIDED|SPECIFIED)|UNDEFINED|UNKNOWN)$/;

/** Whether an optional text counts as absent: it is absent, blank, `NA`, `-`, `nil` or the like in any case. */
export const isAbsent = (text: string | undefined): text is undefined =>
  text === undefined || ABSENT.test(bareText(text));

/** An optional text as it was sent; null if it counts as absent. */
const optionalText = (text: string | undefined): string | null => (isAbsent(text) ? null : text);

/** `problem` ends a sentence that begins with the parameter and its value. */
const invalidParameter = (parameter: string, value: string, problem: string): Refusal =>
  new Refusal('InvalidInput', `Parameter ${parameter}: "${quoted(value)}" ${problem}.`, parameter);

/** One `@`, preceded by something, and followed by two or more labels that are separated by dots; no white space, no control characters. */
const ADDRESS = /^[^@\s\p{Cc}]+@[^@.\s\p{Cc}]+(?:\.[^@.\s\p{Cc}]+)+$/u;

/**
 * The e-mail address without surrounding white space, because programs with fixed-width columns pad them with blanks; undefined if it is
 * absent. Checking more would require sending mail. Throws Refusal InvalidInput for a text that cannot be an address.
 */
export function readEmail(sent: string | undefined): string | undefined {
  if (isAbsent(sent)) return undefined;
  const address = sent.trim();
  if (ADDRESS.test(address)) return address;
  throw invalidParameter('email', address, 'is not an e-mail address; expected one such as name@example.org, or none');
}

export type Sex = 'M' | 'F' | 'O' | 'U';

/** For a patient whose sex was not sent. */
export const UNKNOWN_SEX: Sex = 'U';

/** The codes and words of HL7 v2 table 0001 and FHIR AdministrativeGender, and others that are common in India, as `bareText` writes them. */
const SEX_WORDS: Readonly<Record<Sex, string>> = {
  M: 'M MALE BOY',
  F: 'F FEMALE GIRL',
  O: 'O OTHER OTHERS TRANS TRANSGENDER TG THIRDGENDER T A AMBIGUOUS N NOTAPPLICABLE X',
  U: 'U',
};
const SEXES = new Map(
  Object.entries(SEX_WORDS).flatMap(([sex, words]) => words.split(' ').map((word) => [word, sex as Sex] as const)),
);

/** The letter for a sex sent as a letter or word, in any case, with or without a dot; U if it is absent. Throws Refusal InvalidInput. */
export function canonicalSex(text: string | undefined): Sex {
  const sex = SEXES.get(bareText(text ?? '')) ?? (isAbsent(text) ? UNKNOWN_SEX : undefined);
  if (sex === undefined) throw invalidParameter('Sex', text ?? '', 'is not recognized; expected M, F, O or U');
  return sex;
}

type AgeUnit = 'Y' | 'M' | 'W' | 'D';

export interface Age {
  /** As it was sent. */
  readonly text: string;
  readonly value: number;
  readonly unit: AgeUnit;
}

/** 150 years in each unit. */
const GREATEST_AGE: Readonly<Record<AgeUnit, number>> = { Y: 150, M: 1800, W: 7826, D: 54_786 };
/** Longer than any age, so that the pattern is not tried on long texts. */
const LONGEST_AGE = 40;

const YEARS = 'y|yrs?|years?';
const MONTHS = 'm|mo|mos|mths?|months?';
const DAYS = 'd|days?';
const HOURS = /^(\d{1,9}) ?(?:h|hrs?|hours?)$/;
const ONE_UNIT = new RegExp(`^(\\d{1,9}) ?(${YEARS}|${MONTHS}|w|wks?|weeks?|${DAYS})?$`);
const DECIMAL_YEARS = new RegExp(`^(\\d{1,9}\\.\\d{1,3}) ?(?:${YEARS})?$`);
const SEVERAL_UNITS = new RegExp(
  `^(\\d{1,9}) ?(?:${YEARS}) ?(?:(\\d{1,9}) ?(?:${MONTHS}))?(?: ?(\\d{1,9}) ?(?:${DAYS}))?$`,
);

/**
 * An age of at most 150 years: `34`, `34.5`, `34Y`, `34 Yrs.`, `6M`, `3W`, `12 days old`, `5 hours`, `2Y 6M` or `2Y 6M 3D`, in the digits of
 * any script. Returns undefined if it is absent. Throws Refusal InvalidInput.
 */
export function parseAge(text: string | undefined): Age | undefined {
  if (isAbsent(text)) return undefined;
  const age = text.length > LONGEST_AGE ? undefined : readAge(plainAge(text));
  if (age === undefined) {
    const expected = 'years such as 34, 34.5 or 34Y, or 6M, 3W, 12D, 2Y 6M or 2Y 6M 3D';
    throw invalidParameter('Age', text, `is not an age; expected ${expected}`);
  }
  if (age.value > GREATEST_AGE[age.unit]) {
    throw invalidParameter('Age', text, 'is too high; expected at most 150 years');
  }
  return { text, ...age };
}

/** In lower case, with ASCII digits, without the dots of abbreviations and a final `old`. */
const plainAge = (text: string): string =>
  asciiDigits(text)
    .toLowerCase()
    .replace(/(?<=[a-z])\./g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<=[a-z]) ?old$/, '');

function readAge(text: string): Omit<Age, 'text'> | undefined {
  const one = ONE_UNIT.exec(text);
  if (one !== null) return { value: Number(one[1]), unit: (one[2]?.charAt(0).toUpperCase() ?? 'Y') as AgeUnit };
  const hours = HOURS.exec(text);
  if (hours !== null) return { value: Math.floor(Number(hours[1]) / 24), unit: 'D' };
  const decimal = DECIMAL_YEARS.exec(text);
  if (decimal !== null) return inYearsOrMonths(Math.round(Number(decimal[1]) * 12));
  const [, years, months = 0, days = 0] = SEVERAL_UNITS.exec(text) ?? [];
  if (years === undefined) return undefined;
  const inMonths = Number(years) * 12 + Number(months);
  // If the age is in months, its days remain only in the text, because no number of months can represent them.
  return inMonths === 0 ? { value: Number(days), unit: 'D' } : inYearsOrMonths(inMonths);
}

const inYearsOrMonths = (months: number): Omit<Age, 'text'> =>
  months % 12 === 0 ? { value: months / 12, unit: 'Y' } : { value: months, unit: 'M' };
