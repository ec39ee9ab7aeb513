import { canonicalSex } from '../rules/patient-fields.ts';
import { type PatientParameters, type PatientPolicy, readPatient } from '../rules/read-patient.ts';
import { StagedRows } from '../store/sqlite/staged-rows.ts';
import { ERASED, erasedNameKey } from '../vocabulary/patients.ts';
import { Refusal } from '../vocabulary/result-codes.ts';
import { PATIENT_FIELDS, type PatientDetails } from '../vocabulary/stored-records.ts';
import type { Problems } from './problem.ts';
import type { FileRow } from './read-table.ts';
import { APPOINTMENT_COLUMNS, FEEDBACK_COLUMNS } from './record-tables.ts';
import type { RowOfTable } from './tables.ts';

type Cells = RowOfTable<'appointments'>;

/** A row of appointments whose patient could be accepted in a booking. Where a cell is empty that the import fills in, it is null. */
export type StagedAppointment = Omit<Cells, 'age' | 'contactNumber' | keyof PatientDetails> & PatientDetails & Staged;
export type StagedFeedback = RowOfTable<'feedback'> & Staged;

/** Its place, and 1 if it has no mistake. */
interface Staged {
  readonly file: string;
  readonly line: number;
  readonly isGood: number;
}

const PLACE = ['file', 'line', 'isGood'] as const;
const NAMES_OF_APPOINTMENT = [
  ...new Set([...Object.keys(APPOINTMENT_COLUMNS), ...Object.keys(PATIENT_FIELDS), ...PLACE]),
].filter((name) => name !== 'age' && name !== 'contactNumber') as (keyof StagedAppointment)[];
const NAMES_OF_FEEDBACK = [...Object.keys(FEEDBACK_COLUMNS), ...PLACE] as (keyof StagedFeedback)[];

/** Rows of appointments and feedback. A file may have more of them than fit into memory. */
export class StagedRecords {
  readonly appointments = new StagedRows<StagedAppointment>(
    NAMES_OF_APPOINTMENT,
    ['centerId', 'id'],
    ['centerId', 'day'],
  );
  readonly feedback = new StagedRows<StagedFeedback>(NAMES_OF_FEEDBACK, ['id'], []);

  /** Checks the patient in the same way as a booking does. */
  addAppointment({ row, isGood, place }: FileRow<Cells>, policy: PatientPolicy, problems: Problems): void {
    let patient: PatientDetails | undefined;
    try {
      if (isGood) patient = row.contactNumber === null ? erasedPatient(row) : readPatient(parametersOf(row), policy);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problems.add({ ...place, column: error.parameter, message: withoutValue(error.message) });
    }
    const isStagedGood = patient === undefined ? 0 : 1;
    this.appointments.add({ ...row, ...patient, ...place, isGood: isStagedGood } as StagedAppointment);
  }

  addFeedback({ row, isGood, place }: FileRow<RowOfTable<'feedback'>>): void {
    this.feedback.add({ ...row, ...place, isGood: isGood ? 1 : 0 });
  }

  close(): void {
    this.appointments.close();
    this.feedback.close();
  }
}

/** What the import of both kinds of staged records needs. */
export interface RecordRun {
  readonly staged: StagedRecords;
  /** Names of the values for which a file has no column. */
  readonly missingIn: (file: string) => readonly string[];
  readonly problems: Problems;
  /** Whether to write, as long as there is no problem; otherwise the rows are only checked. */
  readonly writes: boolean;
  /** Called with the number of rows that are done. */
  readonly done: (rows: number) => void;
}

/** What an import did with the rows of a kind of records. */
export interface RecordCounts {
  readonly added: number;
  /** Rows that are already stored, unchanged. */
  readonly same: number;
  /** The highest number that was added; 0 if none was. */
  readonly last: number;
}

const parametersOf = (row: Cells): PatientParameters => ({
  RegistrationNumber: row.registrationNumber ?? undefined,
  title: row.title ?? undefined,
  Name: row.name,
  Sex: row.sex ?? undefined,
  Age: row.age ?? undefined,
  area: row.area ?? undefined,
  contactnumber: row.contactNumber ?? undefined,
  email: row.email ?? undefined,
});

const NO_DETAILS = Object.fromEntries(Object.keys(PATIENT_FIELDS).map((name) => [name, null])) as Readonly<
  Record<keyof PatientDetails, null>
>;

/** The patient of an appointment whose personal data was erased: exports contain such rows, too. */
const erasedPatient = ({ centerId, id, sex }: Cells): PatientDetails => ({
  ...NO_DETAILS,
  nameKey: erasedNameKey(centerId, id),
  name: ERASED.name,
  sex: canonicalSex(sex ?? undefined),
  phone: ERASED.phone,
});

/** The message of a refusal without the parameter and its value: patients' names and phone numbers must not appear on a terminal. */
const withoutValue = (message: string): string => message.replace(/^Parameter \w+: (?:".*" )?/s, '').replace(/\.$/, '');
