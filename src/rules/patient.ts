export interface PatientIdentity {
  readonly registrationNumber: string | undefined;
  readonly name: string;
  /** In E.164. */
  readonly phone: string;
}

/**
 * What makes two requests speak of the same patient of a center: the registration number, else the name and the phone.
 * Case, white space around and runs of it in names, and Unicode composition make no difference.
 */
export function patientKey({ registrationNumber, name, phone }: PatientIdentity): string {
  const registration = registrationNumber?.trim() ?? '';
  if (registration !== '') return `R:${registration.toUpperCase()}`;
  // NFC comes last: lower-casing can leave sequences that compose.
  const folded = name.trim().replace(/\s+/g, ' ').toLowerCase().normalize('NFC');
  return `N:${folded}|${phone}`;
}
