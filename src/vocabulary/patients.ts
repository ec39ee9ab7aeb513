/** What distinguishes the patients of a center. */
export interface PatientIdentity {
  /** The registration number in capitals; null if there is none, or only a placeholder. */
  readonly registrationKey: string | null;
  /** The name without case, white space, titles and dots. */
  readonly nameKey: string;
  /** In E.164. */
  readonly phone: string;
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
  const sameName = a.nameKey === b.nameKey;
  const samePhone = a.phone === b.phone;
  if (a.registrationKey === null || b.registrationKey === null) return sameName && samePhone;
  return a.registrationKey === b.registrationKey && (sameName || samePhone);
}

/** What replaces a person's data once it has been erased. A caller cannot send an empty phone or text. */
export const ERASED = {
  name: 'Erased',
  phone: '',
  text: '',
} as const;

/**
 * The key that replaces that of the name. It differs between rows, because two erased persons whose appointments overlapped must not count
 * as one patient. No name has a key that contains a space.
 */
export const erasedNameKey = (centerId: number, appointmentId: number): string => `erased ${centerId} ${appointmentId}`;
