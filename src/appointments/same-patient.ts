import { splitName } from '../vocabulary/patients.ts';
import { isMadeUp, nationalNumber } from '../vocabulary/phone.ts';
import type { StoredPatient } from '../vocabulary/stored-records.ts';
import { isAbsent } from './read-patient.ts';

/** What distinguishes the patients of a center. */
export type PatientIdentity = Pick<
  StoredPatient,
  'registrationKey' | 'nameKey' | 'name' | 'title' | 'phone' | 'sex' | 'ageValue' | 'ageUnit'
>;

/** Binary fractions, so that JavaScript computes what SQL would. */
const DAYS_PER_AGE_UNIT: Readonly<Record<string, number>> = { Y: 365.25, M: 30.4375, W: 7, D: 1 };
/** Two years: what people say about an age differs, and a birthday may lie between two bookings. */
const MOST_DAYS_BETWEEN_AGES = 730.5;

/**
 * Whether two identities in a center are those of the same patient: the names are equal, and so are the registration numbers or, if one has
 * none, the phones; and nothing contradicts. A family shares a phone, a number of a health scheme, even a name. What identifies nobody does
 * not count: a made-up phone, or the phone of somebody whose name says that there is none.
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
  a.nameKey !== null && a.nameKey === b.nameKey && !contradict(a, b);

const NO_NAME =
  /^(?:unknown|unidentified|unnamed|no|name|noname|newborn|new|born|baby|infant|child|boy|girl|man|woman|male|female|patient|person|of|test)$/;

/** Whether each word of a name says that there is none: `Unknown`, `Test Patient`, `Baby Girl 2`, but not `Newman`. */
function isNameless({ name }: PatientIdentity): boolean {
  const words = splitName(name ?? '')
    .rest.toLowerCase()
    .split(/[^\p{L}\p{M}]+/u);
  return isAbsent(words.join('')) || words.every((word) => word === '' || NO_NAME.test(word));
}

const MALE = /\b(?:mr|sh?ri|mast(?:e?r)?)\b/;
const FEMALE = /\b(?:mrs|smt|miss|ms|kum|kumari|selvi)\b/;
const CHILD = /\b(?:baby|mast(?:e?r)?|b\/o)\b/;
const ADULT = /\b(?:mr|mrs|smt|sh?ri|dr)\b/;

/** Which of two things the titles say; undefined if neither or both. */
const saidIn = (titles: string, one: RegExp, other: RegExp): boolean | undefined =>
  one.test(titles) === other.test(titles) ? undefined : one.test(titles);

/** What the titles say where nothing better does: M or F is better, an age is not, because it is often a guess. */
function saidOf({ title, name, sex }: PatientIdentity) {
  const titles = `${(title ?? '').normalize('NFKC').toLowerCase()}${splitName(name ?? '').titles}`;
  const isMale = sex === 'M' || sex === 'F' ? sex === 'M' : saidIn(titles, MALE, FEMALE);
  return { isMale, isChild: saidIn(titles, CHILD, ADULT) };
}

function contradict(a: PatientIdentity, b: PatientIdentity): boolean {
  const [one, other] = [saidOf(a), saidOf(b)];
  return (
    one.isMale === !(other.isMale ?? one.isMale) ||
    one.isChild === !(other.isChild ?? one.isChild) ||
    Math.abs(ageInDays(a) - ageInDays(b)) > MOST_DAYS_BETWEEN_AGES
  );
}

/** NaN if it is not known, which differs from no age by more than two years. */
const ageInDays = ({ ageValue, ageUnit }: PatientIdentity): number =>
  ageValue === null || ageUnit === null ? Number.NaN : ageValue * (DAYS_PER_AGE_UNIT[ageUnit] ?? Number.NaN);
