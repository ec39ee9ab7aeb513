import { createHash } from 'node:crypto';
import { type PatientParameters, readPatient, readSex, UNKNOWN_SEX } from '../appointments/read-patient.ts';
import { StagedRows } from '../store/sqlite/staged-rows.ts';
import { LAST_HOLDING_STATUS } from '../vocabulary/appointments.ts';
import type { Progress } from '../vocabulary/progress.ts';
import { Refusal } from '../vocabulary/result-codes.ts';
import { PATIENT_FIELDS, type PatientParameter, type StoredPatient } from '../vocabulary/stored-records.ts';
import { ImportRefused, type Problem, Problems } from './problem.ts';
import { type FileRow, type ReadContext, type ReadRow, readTable } from './read-table.ts';
import { isErased, isPersonal, type ReferenceTableName, type RowOfTable, TABLES } from './tables.ts';

/** A file that is to be imported. Its content is read once. */
export interface ImportFile {
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** What the patients of appointments are read with. */
interface PatientContext extends ReadContext {
  /** Country of phone numbers without a country code, of a center that no file names, or names without one. */
  readonly phoneRegion: (centerId: number) => string;
}

/** The combined contents of the files of one run. */
export type ImportFiles = Awaited<ReturnType<typeof readImportFiles>>;

/**
 * Reads all files. Several files of one table are combined. Appointments and feedback are added to `records`. Throws ImportRefused if a file cannot
 * be read as a table, or if reference data has a mistake, because other rows refer to it.
 */
export async function readImportFiles(files: readonly ImportFile[], records: StagedRecords, context: PatientContext) {
  const rowsOf = new Map<string, FileRow<never>[]>();
  const missing = new Map<string, readonly string[]>();
  const empty: string[] = [];
  const problems = new Problems();
  /** Whether the rows without a mistake can be compared with each other. */
  let isComparable = true;
  const digest = createHash('sha256');

  const regionOf = (centerId: number): string =>
    (rowsOf.get('centers') as FileRow<RowOfTable<'centers'>>[] | undefined)?.find(({ row }) => row.id === centerId)?.row
      .phoneRegion ?? context.phoneRegion(centerId);

  async function readFile({ name, chunks }: ImportFile): Promise<void> {
    const observed = async function* () {
      for await (const chunk of chunks) {
        digest.update(chunk);
        yield chunk;
      }
    };
    const before = problems.count;
    const file = await readTable(observed(), name, problems, context);
    missing.set(name, file.missing);
    const ofTable = rowsOf.getOrInsertComputed(file.table, () => []);
    let count = 0;
    for await (const rows of file.rows as AsyncIterable<readonly ReadRow<never>[]>) {
      for (const row of rows) {
        if (file.table === 'appointments') records.addAppointment(row, { ...context, phoneRegion: regionOf }, problems);
        else if (file.table === 'feedback' && row.isGood) records.feedback.add(0, row);
        else ofTable.push(row);
      }
      count += rows.length;
    }
    isComparable &&= isPersonal(TABLES[file.table]) || problems.count === before;
    if (count === 0) empty.push(name);
  }

  // The rows of appointments need the countries of their centers.
  for (const file of files.toSorted((a, b) => Number(/centers/.test(b.name)) - Number(/centers/.test(a.name)))) {
    try {
      await readFile(file);
    } catch (error) {
      if (!(error instanceof ImportRefused)) throw error;
      problems.addAll(error.problems);
      isComparable = false;
    }
  }
  const names = files.map(({ name }) => name);
  if (!isComparable) throw problems.refusal(names);
  return {
    rows: <Name extends ReferenceTableName>(table: Name): readonly FileRow<RowOfTable<Name>>[] =>
      rowsOf.get(table) ?? [],
    records,
    /** Names of the values for which a file has no column. */
    missingIn: (file: string): readonly string[] => missing.get(file) ?? [],
    names,
    empty,
    /** The mistakes of rows of appointments and feedback, each by itself. */
    problems,
    /** SHA-256 of all files, in hexadecimal digits. */
    digest: digest.digest('hex'),
  };
}

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
  readonly appointments: StagedRows<StagedAppointment>;
  readonly feedback: StagedRows<FileRow<RowOfTable<'feedback'>>>;

  constructor(progress: Progress = () => {}) {
    this.appointments = new StagedRows((done, total) => progress('Importing appointments', done, total));
    this.feedback = new StagedRows((done, total) => progress('Importing feedback', done, total));
  }

  /** Checks the patient in the same way as a booking does, also in a row that has other mistakes. */
  addAppointment({ row, place, isGood }: ReadRow<Cells>, context: PatientContext, problems: Problems): void {
    if (isErased(row)) {
      if (isGood) this.appointments.add(row.centerId, { row, place, patient: erasedPatient(row) });
      return;
    }
    const found: Omit<Problem, 'file'>[] = [];
    const patient = readWithout(found, parametersOf(row), context.phoneRegion(row.centerId), context.now);
    // Nobody calls the patients of appointments that are over, and nobody can ask them any more: such a row is imported without its number.
    const isOver = (row.status ?? 0) > LAST_HOLDING_STATUS;
    const mistakes = isOver ? found.filter(({ column }) => column !== 'contactnumber') : found;
    if (isGood && mistakes.length === 0) this.appointments.add(row.centerId, { row, place, patient });
    problems.addAll(mistakes.map((mistake) => ({ ...mistake, ...place })));
    if (mistakes.length < found.length) context.warnings.add({ ...place, column: 'contactnumber', message: NO_NUMBER });
  }

  close(): void {
    this.appointments.close();
    this.feedback.close();
  }
}

const NO_NUMBER = 'the value holds no phone number; the appointment is over, so it is imported without one';

/** Where a cell had a mistake, what no booking is refused for. */
const parametersOf = (row: Cells): PatientParameters => ({
  ...(Object.fromEntries(PATIENT_PARAMETERS.map((name) => [name, row[name] ?? undefined])) as PatientParameters),
  Name: row.Name ?? ANY_NAME,
});

const ANY_NAME = 'A';

/** The patient as a booking reads it. A value that it would be refused for becomes a mistake, and is then left out. */
function readWithout(mistakes: Omit<Problem, 'file'>[], ...[given, ...context]: Parameters<typeof readPatient>) {
  let parameters = given;
  for (;;) {
    try {
      return readPatient(parameters, ...context);
    } catch (error) {
      if (!(error instanceof Refusal) || error.parameter === undefined) throw error;
      // Without the parameter and its value: patients' names and phone numbers must not appear on a terminal.
      const message = error.message
        .replace(/^Parameter \w+: (".*")?/s, (_, value) => (value ? 'the value' : ''))
        .replace(/\.$/, '');
      mistakes.push({ column: error.parameter, message });
      parameters = { ...parameters, [error.parameter]: error.parameter === 'Name' ? ANY_NAME : undefined };
    }
  }
}

const NO_DETAILS = Object.fromEntries(Object.keys(PATIENT_FIELDS).map((name) => [name, null])) as unknown as Readonly<
  Record<Exclude<keyof StoredPatient, 'sex'>, null>
>;

/** The patient of an appointment whose personal data was erased: exports contain such rows, too. */
const erasedPatient = ({ Sex }: Cells): StoredPatient => ({
  ...NO_DETAILS,
  sex: readSex(Sex ?? undefined) ?? UNKNOWN_SEX,
});
