import type { Fetch_DetailsInput } from '../contract/generated-types.ts';
import { nameKey, type PatientDetails, registrationKey } from '../vocabulary/patients.ts';
import { Refusal } from '../vocabulary/result-codes.ts';
import { shown } from '../vocabulary/text.ts';
import { parseAge } from './age.ts';
import { readEmail } from './email.ts';
import { given } from './given.ts';
import { phoneExamples, toE164 } from './phone.ts';
import { canonicalSex } from './sex.ts';

/** The parameters of a booking that describe the patient, as named in the contract. */
export type GivenPatient = Omit<Fetch_DetailsInput, 'DoctorID' | 'app_date' | 'app_time' | 'centerid'>;

/** The hospital's choices about patients. */
export interface PatientPolicy {
  /** ISO 3166 region of phone numbers written without a country code. */
  readonly phoneRegion: string;
  /** The values of RegistrationNumber that mean none, as `bareText` writes them. */
  readonly registrationPlaceholders: ReadonlySet<string>;
}

/** Reads the patient from a booking. Throws Refusal InvalidInput, which names the first invalid parameter. */
export function readPatient(
  input: GivenPatient,
  { phoneRegion, registrationPlaceholders }: PatientPolicy,
): PatientDetails {
  const name = given(input.Name);
  if (name === undefined) throw new Refusal('InvalidInput', "Parameter Name: the patient's name is required.", 'Name');
  if (!/\p{L}/u.test(name)) {
    throw new Refusal(
      'InvalidInput',
      `Parameter Name: "${shown(name)}" contains no letter; expected the name of the patient.`,
      'Name',
    );
  }
  const contactNumber = given(input.contactnumber);
  if (contactNumber === undefined) {
    throw new Refusal(
      'InvalidInput',
      "Parameter contactnumber: the patient's phone number is required.",
      'contactnumber',
    );
  }
  const phone = toE164(contactNumber, phoneRegion);
  if (phone === undefined) {
    throw new Refusal(
      'InvalidInput',
      `Parameter contactnumber: "${shown(contactNumber)}" is not a phone number; expected one such as ${phoneExamples(phoneRegion)}.`,
      'contactnumber',
    );
  }
  const sex = canonicalSex(input.Sex);
  const age = parseAge(input.Age);
  const email = readEmail(input.email);
  const registration = registrationKey(input.RegistrationNumber, registrationPlaceholders);
  return {
    registrationKey: registration,
    nameKey: nameKey(name),
    registrationNumber: registration === null ? undefined : input.RegistrationNumber,
    title: given(input.title),
    name,
    sex,
    ageText: age?.text,
    ageValue: age?.value,
    ageUnit: age?.unit,
    area: given(input.area),
    phone,
    email,
  };
}
