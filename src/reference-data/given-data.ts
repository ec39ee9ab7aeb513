import { createHash } from 'node:crypto';
import { ImportRefused, type Problem } from './problem.ts';
import type { Progress } from './raw-table.ts';
import { type GivenRow, type NamedRow, readTableFile } from './read-table-file.ts';
import { type RowOfTable, TABLES, type TableName } from './tables.ts';

/** The combined contents of the files of one run. */
export interface GivenData {
  rows<Name extends TableName>(table: Name): readonly GivenRow<RowOfTable<Name>>[];
  /** All rows, including those with mistakes, as far as they could be read. */
  named<Name extends TableName>(table: Name): readonly NamedRow<RowOfTable<Name>>[];
  /** Names of the files, in the given order. */
  readonly files: readonly string[];
  /** Files that contain no rows. */
  readonly empty: readonly string[];
  /** Files whose last line has no line end, so that the last cell may have been truncated. */
  readonly unended: readonly string[];
  /** Mistakes found within single files. */
  readonly problems: readonly Problem[];
  /** Whether every file could be read as a table. Only then is something that no row names actually missing. */
  readonly isWhole: boolean;
  /** SHA-256 of all files, in hexadecimal digits. */
  readonly digest: string;
}

export interface GivenFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Reads all files. Several files of one table are combined. */
export function readGivenData(files: readonly GivenFile[], progress: Progress): GivenData {
  const rows = new Map<TableName, GivenRow<unknown>[]>(TABLES.map(({ name }) => [name, []]));
  const named = new Map<TableName, NamedRow<unknown>[]>(TABLES.map(({ name }) => [name, []]));
  const empty: string[] = [];
  const unended: string[] = [];
  const problems: Problem[] = [];
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  let read = 0;
  let isWhole = true;
  const digest = createHash('sha256');
  for (const { name, bytes } of files) {
    digest.update(bytes);
    try {
      const file = readTableFile(name, bytes, (done) => progress((read + done * bytes.length) / size));
      for (const row of file.rows) rows.get(file.table.name)?.push(row);
      for (const row of file.named) named.get(file.table.name)?.push(row);
      if (file.named.length === 0 && file.problems.length === 0) empty.push(name);
      else if (!endsLine(bytes)) unended.push(name);
      // There may be more of them than a call accepts as arguments.
      for (const problem of file.problems) problems.push(problem);
    } catch (error) {
      if (!(error instanceof ImportRefused)) throw error;
      problems.push(...error.problems);
      isWhole = false;
    }
    read += bytes.length;
  }
  return {
    rows: <Name extends TableName>(table: Name) => (rows.get(table) ?? []) as GivenRow<RowOfTable<Name>>[],
    named: <Name extends TableName>(table: Name) => (named.get(table) ?? []) as NamedRow<RowOfTable<Name>>[],
    files: files.map(({ name }) => name),
    empty,
    unended,
    problems,
    isWhole,
    digest: digest.digest('hex'),
  };
}

/** In UTF-16, one byte of a character may be zero. */
function endsLine(bytes: Uint8Array): boolean {
  const last = bytes.findLast((byte) => byte !== 0);
  return last === LINE_FEED || last === CARRIAGE_RETURN;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
