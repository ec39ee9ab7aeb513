import { PATIENT_FIELDS, type PatientDetails, type PatientParameter } from '../../../src/vocabulary/stored-records.ts';

/** Every parameter of a booking that describes the patient, each with a value of its own. */
export const SENT_PATIENT: Readonly<Record<PatientParameter, string>> = {
  RegistrationNumber: 'mrn-77',
  title: 'Dr.',
  Name: 'Meena Kumari',
  Sex: 'Hijra',
  Age: '41 years',
  area: 'Jayanagar',
  contactnumber: '9845077777',
  email: 'meena@example.org',
};

/** The same as it is stored: every field has a value. */
export const STORED_PATIENT: { readonly [Field in keyof PatientDetails]: NonNullable<PatientDetails[Field]> } = {
  registrationKey: 'MRN77',
  registrationNumber: 'mrn-77',
  title: 'Dr.',
  nameKey: 'meenakumari',
  name: 'Meena Kumari',
  sex: 'U',
  sexText: 'Hijra',
  ageText: '41 years',
  ageValue: 41,
  ageUnit: 'Y',
  area: 'Jayanagar',
  phone: '+919845077777',
  email: 'meena@example.org',
};

/** No field has a value. */
export const NO_DETAILS = Object.fromEntries(Object.keys(PATIENT_FIELDS).map((field) => [field, null])) as Readonly<
  Record<keyof PatientDetails, null>
>;
