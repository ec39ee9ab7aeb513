import { canonicalSex, type PatientParameters, type PatientPolicy, readPatient } from '../rules/read-patient.ts';
import { StagedRows } from '../store/sqlite/staged-rows.ts';
import { Refusal } from '../vocabulary/result-codes.ts';
import { PATIENT_FIELDS, type PatientParameter, type StoredPatient } from '../vocabulary/stored-records.ts';
import type { Problems } from './problem.ts';
import type { FileRow } from './read-table.ts';
import { type RowOfTable, TABLES } from './tables.ts';

/** Its place, and 1 if it has no mistake. */
interface Staged {
  readonly file: string;
  readonly line: number;
  readonly isGood: number;
}

type Cells = RowOfTable<'appointments'>;

/** A row of appointments whose patient could be accepted in a booking. Where a cell is empty that the import fills in, it is null. */
export type StagedAppointment = Omit<Cells, PatientParameter> & StoredPatient & Staged;
export type StagedFeedback = RowOfTable<'feedback'> & Staged;

const PLACE = ['file', 'line', 'isGood'] as const;
const PATIENT_PARAMETERS: readonly PatientParameter[] = [
  ...new Set(Object.values(PATIENT_FIELDS).map(({ csv }) => csv)),
];
const APPOINTMENT_NAMES = new Set(Object.keys(TABLES.appointments.columns))
  .difference(new Set<string>(PATIENT_PARAMETERS))
  .union(new Set([...Object.keys(PATIENT_FIELDS), ...PLACE]));
const FEEDBACK_NAMES = [...Object.keys(TABLES.feedback.columns), ...PLACE];

/** Rows of appointments and feedback. A file may have more of them than fit into memory. */
export class StagedRecords {
  readonly appointments = new StagedRows<StagedAppointment>(
    [...APPOINTMENT_NAMES] as (keyof StagedAppointment)[],
    ['centerId', 'id'],
    ['centerId', 'day'],
  );
  readonly feedback = new StagedRows<StagedFeedback>(FEEDBACK_NAMES as (keyof StagedFeedback)[], ['id'], []);

  /** Checks the patient in the same way as a booking does. */
  addAppointment({ row, isGood, place }: FileRow<Cells>, policy: PatientPolicy, problems: Problems): void {
    let patient: StoredPatient | undefined;
    try {
      if (isGood) patient = row.contactnumber === null ? erasedPatient(row) : readPatient(parametersOf(row), policy);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // Without the parameter and its value: patients' names and phone numbers must not appear on a terminal.
      const message = error.message
        .replace(/^Parameter \w+: (".*")?/s, (_, value) => (value ? 'the value' : ''))
        .replace(/\.$/, '');
      problems.add({ ...place, column: error.parameter, message });
    }
    this.appointments.add({ ...row, ...patient, ...place, isGood: patient ? 1 : 0 } as StagedAppointment);
  }

  addFeedback({ row, isGood, place }: FileRow<RowOfTable<'feedback'>>): void {
    this.feedback.add({ ...row, ...place, isGood: isGood ? 1 : 0 });
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
