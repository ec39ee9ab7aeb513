/** What distinguishes the patients of a center. */
export interface PatientIdentity {
  /** The registration number in capitals; null if there is none, or none that identifies anybody. */
  readonly registrationKey: string | null;
  /** The name without case, white space, titles and dots. Null once the patient's data was erased. */
  readonly nameKey: string | null;
  /** In E.164. Null once the patient's data was erased. */
  readonly phone: string | null;
  /** M, F, O or U. */
  readonly sex: string;
  /** Null if the age is not known; `ageUnit` is Y, M, W or D. */
  readonly ageValue: number | null;
  readonly ageUnit: string | null;
}

/**
 * Titles in front of a name, in lower case. Baby and Master are not included, because a newborn may be registered with the mother's name
 * and phone. A title counts only if another word follows.
 */
const LEADING_TITLES = /^[\s.]*(?:(?:mr|mrs|ms|miss|mx|dr|prof|shri|sri|smt|kum|kumari)[\s.]+(?=[^\s.]))*/;

/** Letters and digits of a text, in capitals: `n/a` and `N.A.` are the same. */
export const bareText = (text: string): string => text.toUpperCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** Zeros, or another digit and nothing else but it: what staff enter where a form insists on a number. */
const ONE_DIGIT_REPEATED = /^(?:0|(\p{Nd})\1+)$/u;

/**
 * A number of a patient in the form used for comparison. Null for what can identify nobody: a text without a digit, such as `NEW` or `N/A`,
 * or with only one digit, repeated, such as `9999`.
 */
export function registrationKey(text: string | null | undefined): string | null {
  const bare = bareText(text ?? '');
  if (!/\p{Nd}/u.test(bare) || ONE_DIGIT_REPEATED.test(bare)) return null;
  return (text ?? '').trim().toUpperCase().normalize('NFC');
}

/**
 * The name in the form used for comparison: `Dr. Asha RAO` and `asha rao` are the same. A name that consists only of titles keeps the last
 * one.
 */
export const nameKey = (name: string): string =>
  // NFC comes last, because converting to lower case can leave sequences that compose.
  name
    .toLowerCase()
    .replace(LEADING_TITLES, '')
    .replace(/[\s.]+/g, '')
    .normalize('NFC');

/** Binary fractions, so that JavaScript and both databases compute the same. */
const DAYS_PER_AGE_UNIT: Readonly<Record<string, number>> = { Y: 365.25, M: 30.4375, W: 7, D: 1 };
/** Two years: what people say about an age differs, and a birthday may lie between two bookings. */
const MOST_DAYS_BETWEEN_AGES = 730.5;

/**
 * Whether two identities in a center are those of the same patient: the names are equal, and so are the registration numbers or, if one has
 * none, the phones; and nothing contradicts. A family shares a phone, a number of a health scheme, even a name.
 */
export function isSamePatient(a: PatientIdentity, b: PatientIdentity): boolean {
  if (a.nameKey === null || a.nameKey !== b.nameKey) return false;
  const isEither = a.registrationKey === null || b.registrationKey === null;
  return (isEither ? a.phone === b.phone : a.registrationKey === b.registrationKey) && !contradict(a, b);
}

function contradict(a: PatientIdentity, b: PatientIdentity): boolean {
  const sexes = a.sex + b.sex;
  return sexes === 'MF' || sexes === 'FM' || Math.abs(ageInDays(a) - ageInDays(b)) > MOST_DAYS_BETWEEN_AGES;
}

/** NaN if it is not known, which differs from no age by more than two years. */
const ageInDays = ({ ageValue, ageUnit }: PatientIdentity): number =>
  ageValue === null || ageUnit === null ? Number.NaN : ageValue * (DAYS_PER_AGE_UNIT[ageUnit] ?? Number.NaN);

/** What takes the place of the name of a patient whose data was erased, in answers and files. */
export const ERASED_NAME = 'Erased';
