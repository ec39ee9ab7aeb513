import { UNKNOWN_SEX } from '../../rules/read-patient.ts';
import { PATIENT_FIELDS, type PatientDetails, type StoredPatient } from '../../vocabulary/stored-records.ts';

/** What a repeated booking with other details does to the existing one. */
export interface Correction {
  readonly patient: PatientDetails;
  /** The parameters whose values replace earlier ones. */
  readonly replaced: readonly string[];
  /** The parameters whose earlier values stay, because whoever knows a patient's name must not be able to take over the appointment. */
  readonly kept: readonly string[];
}

type PatientField = keyof PatientDetails;
const FIELDS = Object.keys(PATIENT_FIELDS) as readonly PatientField[];

/** The details of the same patient's appointment after another booking of it. Details that were not sent again are kept. */
export function correctPatient(standing: StoredPatient, sent: PatientDetails): Correction {
  const parameters = { replaces: new Set<string>(), keeps: new Set<string>() };
  for (const field of FIELDS) {
    const { csv, ...facts } = PATIENT_FIELDS[field];
    if (!('repeated' in facts) || !differs(field, standing, sent)) continue;
    parameters[field === 'sex' && standing.sex === UNKNOWN_SEX ? 'replaces' : facts.repeated].add(csv);
  }
  const from = (field: PatientField) => (parameters.replaces.has(PATIENT_FIELDS[field].csv) ? sent : standing);
  return {
    patient: Object.fromEntries(FIELDS.map((field) => [field, from(field)[field]])) as unknown as PatientDetails,
    replaced: [...parameters.replaces],
    kept: [...parameters.keeps],
  };
}

const differs = (field: PatientField, standing: StoredPatient, sent: PatientDetails): boolean =>
  sent[field] !== null && sent[field] !== standing[field] && !(field === 'sex' && sent.sex === UNKNOWN_SEX);
