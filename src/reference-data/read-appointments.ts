import { canonicalSex } from '../rules/patient-fields.ts';
import { type PatientParameters, type PatientPolicy, readPatient } from '../rules/read-patient.ts';
import { ERASED, erasedNameKey } from '../vocabulary/patients.ts';
import { Refusal } from '../vocabulary/result-codes.ts';
import type { PatientDetails } from '../vocabulary/stored-records.ts';
import type { Problem } from './problem.ts';
import type { GivenRow } from './read-table-file.ts';
import type { RowOfTable } from './tables.ts';

/** A row of appointments whose patient could be accepted in a booking. */
export interface ReadAppointment {
  readonly given: GivenRow<RowOfTable<'appointments'>>;
  readonly patient: PatientDetails;
}

/** Checks the patients in the same way as a booking does. */
export function readAppointments(
  rows: readonly GivenRow<RowOfTable<'appointments'>>[],
  policy: PatientPolicy,
): { readonly appointments: readonly ReadAppointment[]; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const appointments: ReadAppointment[] = [];
  for (const given of rows) {
    const { row, place } = given;
    try {
      appointments.push({
        given,
        patient: row.contactNumber === null ? erasedPatient(row) : readPatient(parameters(row), policy),
      });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problems.push({ ...place, column: error.parameter, message: withoutValue(error.message) });
    }
  }
  return { appointments, problems };
}

const parameters = (row: RowOfTable<'appointments'>): PatientParameters => ({
  RegistrationNumber: row.registrationNumber ?? undefined,
  title: row.title ?? undefined,
  Name: row.name,
  Sex: row.sex ?? undefined,
  Age: row.age ?? undefined,
  area: row.area ?? undefined,
  contactnumber: row.contactNumber ?? undefined,
  email: row.email ?? undefined,
});

/** The patient of an appointment whose personal data was erased: exports contain such rows, too. */
const erasedPatient = ({ centerId, id, sex }: RowOfTable<'appointments'>): PatientDetails => ({
  registrationKey: null,
  nameKey: erasedNameKey(centerId, id),
  registrationNumber: null,
  title: null,
  name: ERASED.name,
  sex: canonicalSex(sex ?? undefined),
  ageText: null,
  ageValue: null,
  ageUnit: null,
  area: null,
  phone: ERASED.phone,
  email: null,
});

/** The message of a refusal without the parameter and its value: patients' names and phone numbers must not appear on a terminal. */
const withoutValue = (message: string): string => message.replace(/^Parameter \w+: (?:".*" )?/s, '').replace(/\.$/, '');
