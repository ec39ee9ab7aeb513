import { parseFormDateTime } from '../contract/form-date-time.ts';
import { splitName } from '../vocabulary/patients.ts';
import { isMadeUp, nationalNumber } from '../vocabulary/phone.ts';
import type { StoredAppointment } from '../vocabulary/stored-records.ts';
import { asciiDigits } from '../vocabulary/text.ts';
import { isAbsent, UNKNOWN_SEX } from './read-patient.ts';

/** What distinguishes the patients of a center. An age is that of the day on which it was said. */
export type PatientIdentity = Pick<
  StoredAppointment,
  | 'registrationKey'
  | 'nameKey'
  | 'name'
  | 'title'
  | 'phone'
  | 'sex'
  | 'sexText'
  | 'ageText'
  | 'ageValue'
  | 'ageUnit'
  | 'createdOn'
>;

/**
 * Whether two identities in a center are those of the same patient: the names are equal, and so are the registration numbers or, if one has
 * none, the phones; and nothing that both say differs, unless it is known to agree. A family shares a phone, a number of a health scheme, even
 * a name. What identifies nobody does not count: a made-up phone, or the phone of somebody whose name says that there is none.
 */
export function isSamePatient(a: PatientIdentity, b: PatientIdentity): boolean {
  if (!isNamedAlike(a, b)) return false;
  if (a.registrationKey !== null && b.registrationKey !== null) return a.registrationKey === b.registrationKey;
  return (
    a.phone === b.phone && a.phone !== null && !isMadeUp(nationalNumber(a.phone)) && !(isNameless(a) && isNameless(b))
  );
}

/** Whether only a registration number or a phone may tell that two identities are those of different patients. */
export const isNamedAlike = (a: PatientIdentity, b: PatientIdentity): boolean =>
  a.nameKey !== null && a.nameKey === b.nameKey && !sexesDiffer(a, b) && !titlesDiffer(a, b) && !agesDiffer(a, b);

const NO_NAME =
  /^(?:unknown|unidentified|unnamed|no|name|noname|newborn|new|born|baby|infant|child|boy|girl|man|woman|male|female|patient|person|of|test)$/i;

/** Whether each word of a name says that there is none: `Unknown`, `Test Patient`, `Baby Girl 2`, but not `Newman`. */
function isNameless({ name }: PatientIdentity): boolean {
  const words = splitName(name ?? '').rest.split(/[^\p{L}\p{M}]+/u);
  return isAbsent(words.join('')) || words.every((word) => word === '' || NO_NAME.test(word));
}

/** What is not understood, in the form used for comparison: without case, dots and blanks. */
const plainText = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s.]+/g, '');

/** The titles that one man, or one woman, may have. */
const MAN = /^(?:mr|shri|sri|thiru|mister)$/;
const WOMAN = /^(?:mrs|smt|ms|miss|kum|tmt|sau)$/;
/** One rank or several, which anybody has. */
const RANK =
  /^(?:dr|doctor|prof|professor|(?:lt|lieutenant|capt|captain|maj|major|col|colonel|brig|brigadier|gen|general|cmde|cdr|commander|adm|admiral|wg|sqn|ldr|sgt|sergeant|hav|havildar|subedar)+)$/;

/** The words of the titles, each once, without ranks. */
const titleWords = ({ title, name }: PatientIdentity): readonly string[] => {
  const words = `${title ?? ''} ${splitName(name ?? '').titles}`
    .normalize('NFKC')
    .toLowerCase()
    .split(/[\s.]+/);
  return [...new Set(words)].filter((word) => word !== '' && !RANK.test(word));
};

function titlesDiffer(a: PatientIdentity, b: PatientIdentity): boolean {
  const [one, other] = [titleWords(a), titleWords(b)];
  if (one.length === 0 || other.length === 0 || one.join('') === other.join('')) return false;
  const words = [...one, ...other];
  return !words.every((word) => MAN.test(word)) && !words.every((word) => WOMAN.test(word));
}

/** M, F or O, as sent or as the titles say, or a text in small letters; undefined if nothing is said. */
function saidSex(patient: PatientIdentity): string | undefined {
  if (patient.sexText !== null) return plainText(patient.sexText);
  if (patient.sex !== UNKNOWN_SEX) return patient.sex;
  const words = titleWords(patient);
  if (words.length === 0) return undefined;
  return words.every((word) => MAN.test(word)) ? 'M' : words.every((word) => WOMAN.test(word)) ? 'F' : undefined;
}

/** O agrees with M and F, because it is what a desk chooses that does not ask. */
function sexesDiffer(a: PatientIdentity, b: PatientIdentity): boolean {
  const [one, other] = [saidSex(a), saidSex(b)];
  return one !== undefined && other !== undefined && one !== other && !/^(?:O[MF]|[MF]O)$/.test(one + other);
}

/** Binary fractions, so that JavaScript computes what SQL would. */
const DAYS_PER_AGE_UNIT: Readonly<Record<string, number>> = { Y: 365.25, M: 30.4375, W: 7, D: 1 };
/** Two years: what people say about an age differs, and a birthday may lie between two bookings. */
const MOST_DAYS_BETWEEN_AGES = 730.5;
const MS_PER_DAY = 86_400_000;

function agesDiffer(a: PatientIdentity, b: PatientIdentity): boolean {
  if (a.ageText === null || b.ageText === null || plainText(a.ageText) === plainText(b.ageText)) return false;
  const [one, other] = [birthOf(a.ageText, a), birthOf(b.ageText, b)];
  if (one.dates.length > 0 && other.dates.length > 0) return !one.dates.some((date) => other.dates.includes(date));
  if (one.year !== undefined && other.year !== undefined) return one.year !== other.year;
  // As they were said, or as of one day: 22 yesterday and 20 today are two years apart.
  const apart = [one.day - other.day, (one.age ?? Number.NaN) - (other.age ?? Number.NaN)];
  return !apart.some((days) => Math.abs(days) <= MOST_DAYS_BETWEEN_AGES);
}

/**
 * What a text says about somebody's birth: the dates that it may mean, because nobody knows the order of `03/12/1954`; the year, if it says one;
 * and roughly the day, since 1970. The day is NaN if even an age is unknown, so it is within two years of no other.
 */
function birthOf(ageText: string, { ageValue, ageUnit, createdOn }: PatientIdentity) {
  const text = asciiDigits(ageText);
  const today = Math.floor(createdOn / MS_PER_DAY);
  const thisYear = Temporal.Instant.fromEpochMilliseconds(createdOn).toZonedDateTimeISO('UTC').year;
  const dates = (['dmy', 'mdy'] as const).flatMap((order) => {
    const read = parseFormDateTime(text, 'date', order);
    if (typeof read !== 'object' || read.date === undefined) return [];
    const { year, month, day } = read.date;
    const isOfLastCentury = year > thisYear && !text.includes(`${year}`);
    return `${isOfLastCentury ? year - 100 : year}-${month}-${day}`;
  });
  const found = dates[0] === undefined ? (text.match(YEAR) ?? []) : [dates[0]];
  const years = new Set(found.map((year) => Number.parseInt(year, 10)).filter((year) => year <= thisYear));
  // Of two years, nobody knows which is that of the birth.
  const year = years.size === 1 ? [...years][0] : undefined;
  const age = ageValue === null ? undefined : ageValue * (DAYS_PER_AGE_UNIT[ageUnit ?? ''] ?? Number.NaN);
  return { dates, year, age, day: age === undefined ? ((year ?? Number.NaN) - 1969.5) * 365.25 : today - age };
}

/** From 1900 on, alone or in front of month and day. */
const YEAR = /(?<!\d)(?:19|20)\d\d(?=(?:\d{4})?(?!\d))/g;
