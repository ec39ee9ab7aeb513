import { createHash } from 'node:crypto';
import type { PatientPolicy } from '../rules/read-patient.ts';
import { ImportRefused, Problems } from './problem.ts';
import { type FileRow, readTable } from './read-table.ts';
import { StagedRecords } from './stage-records.ts';
import type { ReferenceTableName, RowOfTable, TableName } from './tables.ts';

/** A file that is to be imported. Its content is read once. */
export interface ImportFile {
  readonly name: string;
  /** Bytes; 0 if they are not known. */
  readonly size: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** The combined contents of the files of one run. Appointments and feedback are on disk until it is closed. */
export interface ImportFiles {
  /** The good rows of reference data. */
  rows<Name extends ReferenceTableName>(table: Name): readonly FileRow<RowOfTable<Name>>[];
  /** All of them: as far as other rows are concerned, whatever a row with a mistake names exists. */
  allRows<Name extends ReferenceTableName>(table: Name): readonly FileRow<Partial<RowOfTable<Name>>>[];
  readonly records: StagedRecords;
  /** Names of the values for which a file has no column. */
  readonly missingIn: (file: string) => readonly string[];
  /** In the given order. */
  readonly names: readonly string[];
  /** Files that contain no rows. */
  readonly empty: readonly string[];
  /** Files whose last line has no line end, so that the last cell may have been cut off. */
  readonly unended: readonly string[];
  /** Mistakes found within single files. */
  readonly problems: Problems;
  /** Whether every file could be read as a table. Only then is something that no row names actually missing. */
  readonly isWhole: boolean;
  /** SHA-256 of all files, in hexadecimal digits. */
  readonly digest: string;
  close(): void;
}

/** Called with the fraction of a long task that is done, from 0 to 1. */
export type Progress = (done: number) => void;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Reads all files. Several files of one table are combined. */
export async function readImportFiles(
  files: readonly ImportFile[],
  policy: PatientPolicy,
  progress: Progress,
): Promise<ImportFiles> {
  const rowsOf = new Map<string, FileRow<object>[]>();
  const missing = new Map<string, readonly string[]>();
  const records = new StagedRecords();
  const empty: string[] = [];
  const unended: string[] = [];
  const problems = new Problems();
  const digest = createHash('sha256');
  const size = files.reduce((sum, file) => sum + file.size, 0);
  let read = 0;
  let isWhole = true;

  async function readFile({ name, chunks }: ImportFile): Promise<void> {
    let last: number | undefined;
    const observed = async function* () {
      for await (const chunk of chunks) {
        digest.update(chunk);
        read += chunk.length;
        progress(read / Math.max(size, read));
        // In UTF-16, one byte of a character may be zero.
        last = chunk.findLast((byte) => byte !== 0) ?? last;
        yield chunk;
      }
    };
    const file = await readTable(observed(), name, problems);
    missing.set(name, file.missing);
    const add = adderTo(file.table.name);
    let count = 0;
    for await (const rows of file.rows) {
      for (const row of rows) add(row as FileRow<never>);
      count += rows.length;
    }
    if (count === 0) empty.push(name);
    else if (last !== LINE_FEED && last !== CARRIAGE_RETURN) unended.push(name);
  }

  function adderTo(table: TableName): (row: FileRow<never>) => void {
    if (table === 'appointments') return (row) => records.addAppointment(row, policy, problems);
    if (table === 'feedback') return (row) => records.addFeedback(row);
    const rows = rowsOf.get(table) ?? [];
    rowsOf.set(table, rows);
    return (row) => rows.push(row);
  }

  try {
    for (const file of files) {
      try {
        await readFile(file);
      } catch (error) {
        if (!(error instanceof ImportRefused)) throw error;
        problems.addAll(error.problems);
        isWhole = false;
      }
    }
  } catch (error) {
    records.close();
    throw error;
  }
  const allRows = (table: string) => (rowsOf.get(table) ?? []) as unknown as readonly FileRow<never>[];
  return {
    rows: (table) => allRows(table).filter(({ isGood }) => isGood),
    allRows,
    records,
    missingIn: (file) => missing.get(file) ?? [],
    names: files.map(({ name }) => name),
    empty,
    unended,
    problems,
    isWhole,
    digest: digest.digest('hex'),
    close: () => records.close(),
  };
}
