import { parseFormDateTime } from '../contract/form-date-time.ts';
import type { Fetch_DetailsInput } from '../contract/generated-types.ts';
import { bareText, nameKey, registrationKey } from '../vocabulary/patients.ts';
import { firstE164, isMadeUp, phoneExamples } from '../vocabulary/phone.ts';
import { Refusal } from '../vocabulary/result-codes.ts';
import type { PatientDetails, PatientParameter } from '../vocabulary/stored-records.ts';
import { asciiDigits, nonBlank, quoted } from '../vocabulary/text.ts';
import type { DatePart } from '../vocabulary/wall-minute.ts';

/** The parameters of a booking that describe the patient, as named in the contract. */
export type PatientParameters = Pick<Fetch_DetailsInput, PatientParameter>;

/**
 * Reads the patient from a booking. `phoneRegion`: ISO 3166 region of phone numbers without a country code; `now`: instant, ms. What is optional
 * never refuses it: it is kept as it was given, and its meaning where that is understood. Throws Refusal InvalidInput for a Name without a
 * letter, and for a contactnumber that has digits but no valid number, so that somebody corrects it.
 */
export function readPatient(input: PatientParameters, phoneRegion: string, now: number): PatientDetails {
  const name = requireName(input.Name);
  const sex = readSex(input.Sex);
  // 0 is the age of a newborn.
  const ageText = /\p{Nd}/u.test(input.Age ?? '') ? (input.Age ?? null) : optionalText(input.Age);
  return {
    registrationKey: registrationKey(input.RegistrationNumber),
    nameKey: nameKey(name),
    registrationNumber: optionalText(input.RegistrationNumber),
    title: optionalText(input.title),
    name,
    sex: sex ?? UNKNOWN_SEX,
    sexText: sex === undefined ? optionalText(input.Sex) : null,
    ageText,
    ...readAge(ageText ?? '', now),
    area: optionalText(input.area),
    phone: readPhone(input.contactnumber, phoneRegion),
    email: optionalText(input.email),
  };
}

/** The sentences that say which optional values were not understood; empty if all were. */
export const notUnderstood = ({ sexText, ageText, ageValue }: PatientDetails): string =>
  [
    sexText === null ? '' : ` Sex "${quoted(sexText)}" is not understood and counts as U.`,
    ageText === null || ageValue !== null ? '' : ` Age "${quoted(ageText)}" is not understood; it is kept as text.`,
  ].join('');

/** The name as it was sent. */
function requireName(sent: string | undefined): string {
  const name = nonBlank(sent);
  if (name === undefined) throw new Refusal('InvalidInput', "the patient's name is required.", 'Name');
  if (/\p{L}/u.test(name)) return name;
  throw invalidParameter('Name', name, 'contains no letter; expected the name of the patient');
}

/** In E.164; null if there is none. What holds no digit, or a made-up number, is not a number that somebody mistyped. */
function readPhone(sent: string | undefined, region: string): string | null {
  const number = firstE164(sent ?? '', region);
  if (number !== undefined) return number;
  const digits = asciiDigits(sent ?? '').replace(/\D+/g, '');
  if (sent === undefined || digits === '' || isMadeUp(digits)) return null;
  const problem = `holds no phone number; expected one such as ${phoneExamples(region)}, or none`;
  throw invalidParameter('contactnumber', sent, problem);
}

/** What forms and staff enter in a field when they have no value, as `bareText` writes it: `-`, zeros, NA, NOT AVAILABLE, `--Select--`. */
const ABSENT =
  /^(?:0*|NA|NIL|NO|NONE|NULL|NOT(?:APPLICABLE|ASKED|AVAILABLE|ENTERED|GIVEN|KNOWN|MENTIONED|PROVIDED|RECORDED|SPECIFIED|STATED)|(?:PLEASE)?(?:CHOOSE|SELECT)(?:ONE)?|UNDEFINED|UNKNOWN|UNSPECIFIED)$/;
/** What Python and JavaScript write for it. In another case, they are names of people and places. */
const NOT_A_VALUE = /^\s*(?:nan|NaN|NaT)\s*$/;

/** Whether an optional text counts as absent: it is absent, blank, `NA`, `-`, `nil` or the like in any case. */
export const isAbsent = (text: string | undefined): text is undefined =>
  text === undefined || NOT_A_VALUE.test(text) || ABSENT.test(bareText(text));

/** An optional text as it was sent; null if it counts as absent. */
const optionalText = (text: string | undefined): string | null => (isAbsent(text) ? null : text);

/** `problem` ends a sentence that begins with the parameter and its value. */
const invalidParameter = (parameter: string, value: string, problem: string): Refusal =>
  new Refusal('InvalidInput', `"${quoted(value)}" ${problem}.`, parameter);

/** For a patient whose sex was not sent, or not understood. */
export const UNKNOWN_SEX = 'U';

/** The codes and words of HL7 v2 table 0001, FHIR and ISO 5218, and others that are common in India, as `bareText` writes them. */
const SEX_WORDS = {
  M: 'M MALE BOY MAN MC MCH 1',
  F: 'F FEMALE GIRL WOMAN FC FCH 2',
  O: 'O OTHER OTHERS TRANS TRANSGENDER TG THIRDGENDER T A AMBIGUOUS N NOTAPPLICABLE 9 X INTERSEX NONBINARY NB INDETERMINATE MTF FTM',
  U: 'U UN UNK UNDIFFERENTIATED NOTDISCLOSED DECLINED PREFERNOTTOSAY',
};
const SEXES = new Map(
  Object.entries(SEX_WORDS).flatMap(([sex, words]) => words.split(' ').map((word) => [word, sex] as const)),
);

/** The letter for a sex sent as a code or in words, such as `Male Child`; U if it is absent, undefined if it is not understood. */
export function readSex(text: string | undefined): string | undefined {
  const known = SEXES.get(bareText(text ?? ''));
  if (known !== undefined || isAbsent(text)) return known ?? UNKNOWN_SEX;
  const inWords = new Set(text.split(/[^\p{L}\p{N}]+/u).flatMap((word) => SEXES.get(word.toUpperCase()) ?? []));
  return inWords.size === 1 ? [...inWords][0] : undefined;
}

type Age = Pick<PatientDetails, 'ageValue' | 'ageUnit'>;

const NOT_UNDERSTOOD: Age = { ageValue: null, ageUnit: null };
/** 150 years. */
const MOST_MONTHS = 1800;
const MOST_DAYS = 54_786;

/** A number, and its unit; only years need none. */
const PART = /\s*(\d{1,5}(?:\.\d{1,3})?)\s*([a-z]*)\.?[\s,]*(?:and\s)?/y;
/** The units of a part, largest first. */
const UNITS = ['y|yrs?|years?|', 'm|mon?|mos|mths?|months?', 'w|wks?|weeks?', 'd|days?', 'h|hrs?|hours?'].map(
  (words) => new RegExp(`^(?:${words})$`),
);

/**
 * An age of at most 150 years: `34`, `34.5`, `34 Year(s) 5 Month(s) 2 Day(s)`, `2W 3D`, `60+`, `34/M`, `Newborn`, `12 days old`, or a date of
 * birth, in the digits of any script; both are null for any other text. `now`: instant, ms. An age in months loses its days, because no number
 * of months can represent them.
 */
export function readAge(text: string, now: number): Age {
  const born = parseFormDateTime(text);
  if (typeof born === 'object' && born.date !== undefined) return ageSince(born.date, now);
  const parts = asciiDigits(text)
    .toLowerCase()
    .replace(/\(s\)/g, '')
    .replace(/(?:\+|\s*\/\s*[mf]|\bold)?\s*$/, '');
  if (/^\s*new ?born$/.test(parts)) return { ageValue: 0, ageUnit: 'D' };
  const amounts = new Map<number, number>();
  for (let at = 0; at < parts.length; at = PART.lastIndex) {
    PART.lastIndex = at;
    const [, amount, word = ''] = PART.exec(parts) ?? [];
    const unit = UNITS.findIndex((known) => known.test(word));
    const isInOrder = at === 0 || (word !== '' && amounts.keys().every((before) => before < unit));
    if (amount === undefined || unit === -1 || !isInOrder) return NOT_UNDERSTOOD;
    amounts.set(unit, Number(amount));
  }
  const [years, months, weeks, days, hours] = UNITS.map((_, unit) => amounts.get(unit)) as (number | undefined)[];
  const inMonths = Math.round((years ?? 0) * 12 + (months ?? 0));
  const inDays = Math.floor((weeks ?? 0) * 7 + (days ?? 0) + (hours ?? 0) / 24);
  if (amounts.size === 0 || inMonths > MOST_MONTHS || inDays > MOST_DAYS) return NOT_UNDERSTOOD;
  if (inMonths === 0 && amounts.size > Number(years !== undefined) + Number(months !== undefined)) {
    return days === undefined && hours === undefined
      ? { ageValue: weeks ?? 0, ageUnit: 'W' }
      : { ageValue: inDays, ageUnit: 'D' };
  }
  return years === undefined || inMonths % 12 !== 0
    ? { ageValue: inMonths, ageUnit: 'M' }
    : { ageValue: inMonths / 12, ageUnit: 'Y' };
}

function ageSince({ year, month, day }: DatePart, now: number): Age {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO('UTC').toPlainDate();
  const { years, months, days } = new Temporal.PlainDate(year, month, day).until(today, { largestUnit: 'years' });
  // A center may be a day ahead of UTC.
  if (years < 0 || months < 0 || days < -1 || years > MOST_MONTHS / 12) return NOT_UNDERSTOOD;
  if (years > 1) return { ageValue: years, ageUnit: 'Y' };
  return years + months > 0
    ? { ageValue: years * 12 + months, ageUnit: 'M' }
    : { ageValue: Math.max(days, 0), ageUnit: 'D' };
}
