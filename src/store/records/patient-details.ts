/** Who an appointment is for. Source: HL7 FHIR Patient. */
export interface PatientDetails {
  /** Who the patient is, for overlaps and retries. */
  readonly patientKey: string;
  readonly registrationNumber: string | undefined;
  readonly title: string | undefined;
  readonly name: string;
  readonly sex: string;
  readonly ageText: string | undefined;
  readonly ageValue: number | undefined;
  readonly ageUnit: string | undefined;
  readonly area: string | undefined;
  /** E.164. */
  readonly phone: string;
  readonly email: string | undefined;
}
