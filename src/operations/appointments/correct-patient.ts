import { UNKNOWN_SEX } from '../../rules/patient-fields.ts';
import { PATIENT_FIELDS, type PatientDetails, type StoredPatient } from '../../vocabulary/stored-records.ts';

/** What a repeated booking with other details changes in the existing one. */
export interface Correction {
  readonly patient: PatientDetails;
  /** The parameters whose values replace earlier ones. */
  readonly parameters: readonly string[];
}

type PatientField = keyof PatientDetails;
const FIELDS = Object.keys(PATIENT_FIELDS) as readonly PatientField[];

/** The fields that a repeated booking replaces, by the parameter that contains them. */
const REPLACED = Map.groupBy(
  FIELDS.filter((field) => PATIENT_FIELDS[field].replaced),
  (field) => String(PATIENT_FIELDS[field].csv),
);

/** The new details of the same patient's appointment, or undefined if nothing changes. Details that were not sent again are kept. */
export function correctPatient(standing: StoredPatient, sent: PatientDetails): Correction | undefined {
  const differing = [...REPLACED].filter(([, fields]) => fields.some((field) => differs(field, standing, sent)));
  if (differing.length === 0) return undefined;
  return {
    parameters: differing.map(([parameter]) => parameter),
    patient: {
      ...detailsOf(standing, FIELDS),
      ...detailsOf(
        sent,
        differing.flatMap(([, fields]) => fields),
      ),
    },
  };
}

function differs(field: PatientField, standing: StoredPatient, sent: PatientDetails): boolean {
  // The same age can be written in several ways.
  if (sent[field] === null || field === 'ageText') return false;
  return sent[field] !== standing[field] && !(field === 'sex' && sent.sex === UNKNOWN_SEX);
}

const detailsOf = (patient: StoredPatient, fields: readonly PatientField[]) =>
  Object.fromEntries(fields.map((field) => [field, patient[field]])) as unknown as PatientDetails;
