import { basename, extname } from 'node:path';
import type { Column } from './column.ts';
import { ImportRefused, type Place, type Problem, type Problems } from './problem.ts';
import { type CsvRow, type CsvTable, readCsv } from './read-csv.ts';
import { isPersonal, TABLES, type Table } from './tables.ts';

/** A row of a file. */
export interface FileRow<Row> {
  /** Where a cell has a mistake, the value is undefined. */
  readonly row: Row;
  /** Whether it has no mistake. */
  readonly isGood: boolean;
  readonly place: Place & { readonly line: number };
}

export interface TableFile {
  readonly table: Table;
  /** Names of the values for which the file has no column. Its rows have them as if their cells were empty. */
  readonly missing: readonly string[];
  /** Read during the iteration, some at a time. */
  readonly rows: AsyncIterable<readonly FileRow<Readonly<Record<string, unknown>>>[]>;
}

/**
 * Reads a CSV file. The table is the one after which the file is named, otherwise the one whose columns are in its header. Mistakes in rows
 * are added to the problems. Throws ImportRefused, also during the iteration, if the file cannot be read as a table.
 */
export async function readTable(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
  problems: Problems,
): Promise<TableFile> {
  const csv = await readCsv(chunks, file);
  const table = tableOf(file, csv.titles);
  if (table === undefined) {
    const message = `its header belongs to no table; expected the columns of one of ${TABLES.map(({ name }) => name).join(', ')}, or its name as the name of the file`;
    throw new ImportRefused([{ file, line: csv.titleLine, message }]);
  }
  const columns = columnsOf(file, table, csv);
  const read = rowReader(file, table, columns, csv.titles.length, problems);
  return {
    table,
    missing: columns.flatMap(([name, { whenMissing }, index]) => (index === -1 && !whenMissing ? [name] : [])),
    rows: (async function* () {
      for await (const rows of csv.rows) yield rows.flatMap((row) => read(row) ?? []);
    })(),
  };
}

/** Titles match in any case, with or without spaces, hyphens and underscores. */
const keyOf = (title: string): string => title.toLowerCase().replace(/[\s_-]/g, '');

const isTitleOf = ({ title, alias }: Column<unknown>, key: string): boolean =>
  keyOf(title) === key || (alias !== undefined && keyOf(alias) === key);

function tableOf(file: string, titles: readonly string[]): Table | undefined {
  const fileKey = keyOf(basename(file, extname(file)));
  const keys = titles.map(keyOf);
  const hasTitles = ({ columns }: Table): boolean => {
    const known = Object.values(columns);
    return (
      keys.every((key) => known.some((column) => isTitleOf(column, key))) &&
      known.every((column) => !column.inHeader || keys.some((key) => isTitleOf(column, key)))
    );
  };
  return TABLES.find(({ name }) => keyOf(name) === fileKey) ?? TABLES.find(hasTitles);
}

/** Name of the value, its column, and its index in a row; -1 if it is missing. */
type PlacedColumn = readonly [name: string, column: Column<unknown>, index: number];

/** Throws ImportRefused for a column that is unknown, duplicated or missing, because its rows cannot be checked. */
function columnsOf(file: string, table: Table, { titles, titleLine }: CsvTable): readonly PlacedColumn[] {
  const known = Object.entries(table.columns);
  const expected = `expected ${known.map(([, { title }]) => title).join(', ')}`;
  const keys = titles.map(keyOf);
  const problem = (column: string | undefined, message: string): Problem => ({
    file,
    line: titleLine,
    column,
    message: `${message}; ${expected}`,
  });
  const places = known.map(([, column]) => keys.findIndex((key) => isTitleOf(column, key)));
  if (isPersonal(table) && places.filter((place) => place !== -1).length * 2 < titles.length) {
    // It may be a row whose cells are patient data.
    throw new ImportRefused([problem(undefined, 'is not a header')]);
  }
  const problems = titles.flatMap((title, index) => {
    if (title === '') return [problem(undefined, 'a column has no title')];
    const place = known.findIndex(([, column]) => isTitleOf(column, keys[index] ?? ''));
    if (place === -1) return [problem(title, 'is unknown')];
    return (places[place] ?? index) < index ? [problem(title, 'appears twice')] : [];
  });
  for (const [at, [, { title, inHeader }]] of known.entries()) {
    if (inHeader && places[at] === -1) problems.push(problem(title, 'is missing'));
  }
  if (problems.length > 0) throw new ImportRefused(problems);
  return known.map(([name, column], index) => [name, column, places[index] ?? -1]);
}

/** Reads a row; returns undefined for one that may have been cut off. */
function rowReader(
  file: string,
  table: Table,
  columns: readonly PlacedColumn[],
  titles: number,
  problems: Problems,
): (row: CsvRow) => FileRow<Readonly<Record<string, unknown>>> | undefined {
  return ({ line, cells }) => {
    const place = { file, line };
    // In a truncated row, the remaining cells would be empty, which could mean that a doctor has no hours, or a capacity of 1.
    if (cells.length < titles || cells.slice(titles).some((cell) => cell.trim() !== '')) {
      const message = `there ${cells.length === 1 ? 'is 1 cell' : `are ${cells.length} cells`}; expected ${titles}, as in the header, including empty ones`;
      problems.add({ ...place, message });
      return undefined;
    }
    const row: Record<string, unknown> = {};
    let isGood = true;
    const mistake = (column: string, isPersonal: boolean | undefined, cell: string, message: string) => {
      problems.add({ ...place, column, value: isPersonal ? undefined : cell, message });
      isGood = false;
    };
    for (const [name, { title, type, whenEmpty, isPersonal }, index] of columns) {
      const cell = cells[index] ?? '';
      const bare = cell.trim();
      const value = bare === '' ? whenEmpty : type.read(type.keepsSpace === true ? cell : bare);
      if (value === undefined) mistake(title, isPersonal, bare, `expected ${type.expected}`);
      row[name] = value;
    }
    const contradiction = isGood ? table.check(row) : undefined;
    if (contradiction !== undefined) {
      const [, column, index = -1] = columns.find(([, { title }]) => title === contradiction.column) ?? [];
      mistake(contradiction.column, column?.isPersonal, cells[index]?.trim() ?? '', contradiction.message);
    }
    return { row, isGood, place };
  };
}
