import { canonicalSex, type PatientParameters, type PatientPolicy, readPatient } from '../rules/read-patient.ts';
import { StagedRows } from '../store/sqlite/staged-rows.ts';
import { Refusal } from '../vocabulary/result-codes.ts';
import { PATIENT_FIELDS, type PatientParameter, type StoredPatient } from '../vocabulary/stored-records.ts';
import type { Problems } from './problem.ts';
import type { FileRow } from './read-table.ts';
import type { RowOfTable } from './tables.ts';

type Cells = RowOfTable<'appointments'>;

/** A row of appointments whose patient could be accepted in a booking. */
export interface StagedAppointment extends FileRow<Cells> {
  readonly patient: StoredPatient;
}

const PATIENT_PARAMETERS: readonly PatientParameter[] = [
  ...new Set(Object.values(PATIENT_FIELDS).map(({ csv }) => csv)),
];

/** Rows of appointments and feedback. A file may have more of them than fit into memory. */
export class StagedRecords {
  readonly appointments = new StagedRows<StagedAppointment>();
  readonly feedback = new StagedRows<FileRow<RowOfTable<'feedback'>>>();

  /** Checks the patient in the same way as a booking does. */
  addAppointment({ row, place }: FileRow<Cells>, policy: PatientPolicy, problems: Problems): void {
    try {
      const patient = row.contactnumber === null ? erasedPatient(row) : readPatient(parametersOf(row), policy);
      this.appointments.add(row.centerId, { row, place, patient });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // Without the parameter and its value: patients' names and phone numbers must not appear on a terminal.
      const message = error.message
        .replace(/^Parameter \w+: (".*")?/s, (_, value) => (value ? 'the value' : ''))
        .replace(/\.$/, '');
      problems.add({ ...place, column: error.parameter, message });
    }
  }

  close(): void {
    this.appointments.close();
    this.feedback.close();
  }
}

const parametersOf = (row: Cells): PatientParameters =>
  Object.fromEntries(PATIENT_PARAMETERS.map((name) => [name, row[name] ?? undefined])) as PatientParameters;

const NO_DETAILS = Object.fromEntries(Object.keys(PATIENT_FIELDS).map((name) => [name, null])) as unknown as Readonly<
  Record<Exclude<keyof StoredPatient, 'sex'>, null>
>;

/** The patient of an appointment whose personal data was erased: exports contain such rows, too. */
const erasedPatient = ({ Sex }: Cells): StoredPatient => ({ ...NO_DETAILS, sex: canonicalSex(Sex ?? undefined) });
