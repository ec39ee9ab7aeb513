import type { Fetch_DetailsInput } from '../contract/generated-types.ts';
import { nameKey, registrationKey } from '../vocabulary/patients.ts';
import { Refusal } from '../vocabulary/result-codes.ts';
import type { PatientDetails, PatientParameter } from '../vocabulary/stored-records.ts';
import { canonicalSex, invalidParameter, nonBlank, optionalText, parseAge, readEmail } from './patient-fields.ts';
import { phoneExamples, toE164 } from './phone.ts';

/** The parameters of a booking that describe the patient, as named in the contract. */
export type PatientParameters = Pick<Fetch_DetailsInput, PatientParameter>;

/** The hospital's choices about patients. */
export interface PatientPolicy {
  /** ISO 3166 region of phone numbers written without a country code. */
  readonly phoneRegion: string;
  /** The values of RegistrationNumber that mean none, as `bareText` writes them. */
  readonly registrationPlaceholders: ReadonlySet<string>;
}

/** Reads the patient from a booking. Throws Refusal InvalidInput, which names the first invalid parameter. */
export function readPatient(
  input: PatientParameters,
  { phoneRegion, registrationPlaceholders }: PatientPolicy,
): PatientDetails {
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
  const registration = registrationKey(input.RegistrationNumber, registrationPlaceholders);
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
