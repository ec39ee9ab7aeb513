/** What distinguishes the patients of a center. */
export interface PatientIdentity {
  /** The registration number in capitals; null if there is none, or only a placeholder. */
  readonly registrationKey: string | null;
  /** The name without case, white space, titles and dots. Null once the patient's data was erased. */
  readonly nameKey: string | null;
  /** In E.164. Null once the patient's data was erased. */
  readonly phone: string | null;
}

/**
 * Titles in front of a name, in lower case. Baby and Master are not included, because a newborn may be registered with the mother's name
 * and phone. A title counts only if another word follows.
 */
const LEADING_TITLES = /^[\s.]*(?:(?:mr|mrs|ms|miss|mx|dr|prof|shri|sri|smt|kum|kumari)[\s.]+(?=[^\s.]))*/;

/**
 * What staff enter as RegistrationNumber for a patient who has none, in the form that `registrationKey` produces: in capitals, only letters
 * and digits. Zeros alone, and texts without a letter or digit, never count as a number.
 */
export const REGISTRATION_PLACEHOLDERS: readonly string[] = [
  'NA',
  'NEW',
  'NIL',
  'NO',
  'NONE',
  'NOTAPPLICABLE',
  'NOTAVAILABLE',
  'NULL',
  'TBD',
  'TEMP',
  'TEMPORARY',
  'TEST',
  'UNDEFINED',
  'UNKNOWN',
  'WALKIN',
  'X',
  'XX',
  'XXX',
];

/** Letters and digits of a text, in capitals: `n/a` and `N.A.` are the same placeholder. */
export const bareText = (text: string): string => text.toUpperCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** The registration number in the form used for comparison, or null for a placeholder. `placeholders` contain only letters and digits. */
export function registrationKey(text: string | undefined, placeholders: ReadonlySet<string>): string | null {
  if (text === undefined) return null;
  const bare = bareText(text);
  if (/^0*$/.test(bare) || placeholders.has(bare)) return null;
  return text.trim().toUpperCase().normalize('NFC');
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

/**
 * Whether two identities in a center are those of the same patient. If both have a registration number, it must match, and so must the name
 * or the phone, because a number alone may be mistyped or another hospital's. Otherwise name and phone must match.
 */
export function isSamePatient(a: PatientIdentity, b: PatientIdentity): boolean {
  const sameName = a.nameKey !== null && a.nameKey === b.nameKey;
  const samePhone = a.phone !== null && a.phone === b.phone;
  if (a.registrationKey === null || b.registrationKey === null) return sameName && samePhone;
  return a.registrationKey === b.registrationKey && (sameName || samePhone);
}

/** What takes the place of the name of a patient whose data was erased, in answers and files. */
export const ERASED_NAME = 'Erased';
