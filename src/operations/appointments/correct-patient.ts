import { UNKNOWN_SEX } from '../../rules/patient-fields.ts';
import type { StandingAppointment } from '../../store/queries/appointment.ts';
import type { PatientDetails } from '../../vocabulary/patients.ts';

/** What a repeated booking with other details changes in the existing one. */
export interface Correction {
  readonly patient: PatientDetails;
  /** The parameters whose values replace earlier ones. */
  readonly parameters: readonly string[];
}

/** The detail of the patient that each parameter contains. */
const TOLD: readonly (readonly [parameter: string, detail: (patient: PatientDetails) => string | undefined])[] = [
  ['RegistrationNumber', ({ registrationNumber }) => registrationNumber],
  ['title', ({ title }) => title],
  ['Name', ({ name }) => name],
  ['Sex', ({ sex }) => (sex === UNKNOWN_SEX ? undefined : sex)],
  ['Age', ({ ageValue, ageUnit }) => (ageValue === undefined ? undefined : `${ageValue} ${ageUnit}`)],
  ['area', ({ area }) => area],
  ['contactnumber', ({ phone }) => phone],
  ['email', ({ email }) => email],
];

/** The new details of the same patient's appointment, or undefined if nothing changes. Details that were not sent again are kept. */
export function correctPatient(standing: StandingAppointment, sent: PatientDetails): Correction | undefined {
  const before = detailsOf(standing);
  const parameters = TOLD.filter(([, detail]) => {
    const told = detail(sent);
    return told !== undefined && told !== detail(before);
  }).map(([parameter]) => parameter);
  if (parameters.length === 0) return undefined;
  const hasAge = sent.ageText !== undefined;
  return {
    parameters,
    patient: {
      registrationKey: sent.registrationKey ?? before.registrationKey,
      nameKey: sent.nameKey,
      registrationNumber: sent.registrationNumber ?? before.registrationNumber,
      title: sent.title ?? before.title,
      name: sent.name,
      sex: sent.sex === UNKNOWN_SEX ? before.sex : sent.sex,
      ageText: hasAge ? sent.ageText : before.ageText,
      ageValue: hasAge ? sent.ageValue : before.ageValue,
      ageUnit: hasAge ? sent.ageUnit : before.ageUnit,
      area: sent.area ?? before.area,
      phone: sent.phone,
      email: sent.email ?? before.email,
    },
  };
}

const detailsOf = (a: StandingAppointment): PatientDetails => ({
  registrationKey: a.registrationKey,
  nameKey: a.nameKey,
  registrationNumber: a.registrationNumber ?? undefined,
  title: a.title ?? undefined,
  name: a.name,
  sex: a.sex,
  ageText: a.ageText ?? undefined,
  ageValue: a.ageValue ?? undefined,
  ageUnit: a.ageUnit ?? undefined,
  area: a.area ?? undefined,
  phone: a.phone,
  email: a.email ?? undefined,
});
