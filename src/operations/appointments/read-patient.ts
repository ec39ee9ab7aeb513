import type { Fetch_DetailsInput } from '../../contract/generated-types.ts';
import { parseAge } from '../../rules/age.ts';
import { readEmail } from '../../rules/email.ts';
import { toE164 } from '../../rules/phone.ts';
import { canonicalSex } from '../../rules/sex.ts';
import type { PatientDetails } from '../../store/records/patient-details.ts';
import { shown } from '../../vocabulary/errors.ts';
import { nameKey, registrationKey } from '../../vocabulary/patient-identity.ts';
import { Refusal } from '../../vocabulary/result-codes.ts';
import type { Policy } from '../dependencies.ts';
import { given } from '../given.ts';

/** Reads the patient out of a booking; throws Refusal InvalidInput naming the first parameter that is not right. */
export function readPatient(
  input: Fetch_DetailsInput,
  { phoneRegion, registrationPlaceholders }: Pick<Policy, 'phoneRegion' | 'registrationPlaceholders'>,
): PatientDetails {
  const name = given(input.Name);
  if (name === undefined)
    throw new Refusal('InvalidInput', 'Parameter Name is needed: the name of the patient.', 'Name');
  if (!/\p{L}/u.test(name)) {
    throw new Refusal(
      'InvalidInput',
      `Parameter Name: "${shown(name)}" holds no letter; expected the name of the patient.`,
      'Name',
    );
  }
  const contactNumber = given(input.contactnumber);
  if (contactNumber === undefined) {
    throw new Refusal(
      'InvalidInput',
      "Parameter contactnumber is needed: the patient's phone number.",
      'contactnumber',
    );
  }
  const phone = toE164(contactNumber, phoneRegion);
  if (phone === undefined) {
    throw new Refusal(
      'InvalidInput',
      `Parameter contactnumber: "${shown(contactNumber)}" is not a phone number; expected one such as 9845012345 or +919845012345.`,
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
