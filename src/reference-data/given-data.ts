import { ImportRefused, type Problem } from './problem.ts';
import type { Progress } from './raw-table.ts';
import { type GivenRow, readTableFile } from './read-table-file.ts';
import { type RowOfTable, TABLES, type TableName } from './tables.ts';

/** What the files of one run say together. */
export interface GivenData {
  rows<Name extends TableName>(table: Name): readonly GivenRow<RowOfTable<Name>>[];
  /** Rows with mistakes, as far as they could be read. */
  flawed<Name extends TableName>(table: Name): readonly Partial<RowOfTable<Name>>[];
  /** Mistakes of single files. */
  readonly problems: readonly Problem[];
  /** Whether every file could be read as a table: only then is what no row names missing. */
  readonly isWhole: boolean;
}

export interface GivenFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Reads all files; several of one table are one. */
export function readGivenData(files: readonly GivenFile[], progress: Progress): GivenData {
  const rows = new Map<TableName, GivenRow<unknown>[]>(TABLES.map(({ name }) => [name, []]));
  const flawed = new Map<TableName, unknown[]>(TABLES.map(({ name }) => [name, []]));
  const problems: Problem[] = [];
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  let read = 0;
  let isWhole = true;
  for (const { name, bytes } of files) {
    try {
      const file = readTableFile(name, bytes, (done) => progress((read + done * bytes.length) / size));
      for (const row of file.rows) rows.get(file.table.name)?.push(row);
      for (const row of file.flawed) flawed.get(file.table.name)?.push(row);
      problems.push(...file.problems);
    } catch (error) {
      if (!(error instanceof ImportRefused)) throw error;
      problems.push(...error.problems);
      isWhole = false;
    }
    read += bytes.length;
  }
  return {
    rows: <Name extends TableName>(table: Name) => (rows.get(table) ?? []) as GivenRow<RowOfTable<Name>>[],
    flawed: <Name extends TableName>(table: Name) => (flawed.get(table) ?? []) as Partial<RowOfTable<Name>>[],
    problems,
    isWhole,
  };
}
