import type { PatientIdentity } from './patient-identity.ts';

/** Who an appointment is for. Source: HL7 FHIR Patient. */
export interface PatientDetails extends PatientIdentity {
  readonly registrationNumber: string | undefined;
  readonly title: string | undefined;
  readonly name: string;
  readonly sex: string;
  readonly ageText: string | undefined;
  readonly ageValue: number | undefined;
  readonly ageUnit: string | undefined;
  readonly area: string | undefined;
  readonly email: string | undefined;
}
