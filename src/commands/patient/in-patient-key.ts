import { bareText, ERASED, REGISTRATION_PLACEHOLDERS, registrationKey } from '../../vocabulary/patients.ts';

const PLACEHOLDERS: ReadonlySet<string> = new Set([...REGISTRATION_PLACEHOLDERS, bareText(ERASED.name)]);

/** An inpatient number in the form used for comparison, or null for a text that means none, such as `NA`, `0`, `-` or `xxxx`. */
export const inPatientKey = (text: string): string | null =>
  /^X+$/.test(bareText(text)) ? null : registrationKey(text, PLACEHOLDERS);
