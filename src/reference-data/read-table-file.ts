import { basename, extname } from 'node:path';
import { decodeText } from './decode-text.ts';
import { ImportRefused, type Place, type Problem } from './problem.ts';
import type { Progress, RawTable } from './raw-table.ts';
import { readCsv } from './read-csv.ts';
import { readJson } from './read-json.ts';
import { type Column, TABLES, type Table } from './tables.ts';

/** A row that was read, and where. */
export interface GivenRow<Row> {
  readonly row: Row;
  /** Names of the values that the file says nothing about; they stand in `row` as if their cells were empty. */
  readonly unsaid: readonly string[];
  readonly place: Place;
}

/** What could be read of a row, whether it has a mistake or not. */
export interface NamedRow<Row> {
  readonly row: Partial<Row>;
  readonly place: Place;
}

export interface TableFile {
  readonly table: Table;
  /** Those without a mistake. */
  readonly rows: readonly GivenRow<Readonly<Record<string, unknown>>>[];
  /** What could be read of every row: what one with a mistake names is there, as far as other rows are concerned. */
  readonly named: readonly NamedRow<Readonly<Record<string, unknown>>>[];
  readonly problems: readonly Problem[];
}

/**
 * Reads a file of reference data, CSV or, if its name ends in `.json`, JSON. The table is the one that the file is named after, else
 * the one whose columns its header has. Throws ImportRefused if it cannot be read as a table at all.
 */
export function readTableFile(file: string, bytes: Uint8Array, progress: Progress): TableFile {
  const text = decodeText(bytes, file);
  const isJson = extname(file).toLowerCase() === '.json';
  const raw = isJson ? readJson(text, file) : readCsv(text, file, progress);
  const table = tableOf(file, raw.titles);
  if (table === undefined) {
    const message = `its header is of no table; expected the columns, or the file's name, of ${TABLES.map(({ name }) => name).join(', ')}`;
    throw new ImportRefused([{ file, line: raw.titleLine ?? raw.titleLines?.[0], message }]);
  }
  return readRows(file, table, columnsOf(file, table, raw), raw);
}

/** Titles match in any case, with or without spaces, hyphens and underscores. */
const keyOf = (title: string): string => title.toLowerCase().replace(/[\s_-]/g, '');

function tableOf(file: string, titles: readonly string[]): Table | undefined {
  const name = keyOf(basename(file, extname(file)));
  const named = TABLES.find((table) => keyOf(table.name) === name);
  if (named !== undefined) return named;
  const keys = titles.map(keyOf);
  return TABLES.find(({ columns }) => {
    const known = Object.values(columns);
    const all = known.map(({ title }) => keyOf(title));
    return (
      keys.every((key) => all.includes(key)) &&
      known.every(({ title, inHeader }) => !inHeader || keys.includes(keyOf(title)))
    );
  });
}

/** Name of the value, its column, and where in a row it stands: -1 if nowhere. */
type PlacedColumn = readonly [name: string, column: Column<unknown>, index: number];

/** Throws ImportRefused for a column that is not known, is there twice or is missing: its rows cannot be judged. */
function columnsOf(
  file: string,
  { columns }: Table,
  { titles, titleLine, titleLines }: RawTable,
): readonly PlacedColumn[] {
  const known = Object.entries(columns);
  const expected = `expected ${known.map(([, { title }]) => title).join(', ')}`;
  const keys = titles.map(keyOf);
  const problem = (column: string | undefined, message: string, line = titleLine): Problem => ({
    file,
    line,
    column,
    message: `${message}; ${expected}`,
  });
  const problems = titles.flatMap((title, index) => {
    if (title === '') return [problem(undefined, 'a column has no title')];
    if (!known.some(([, column]) => keyOf(column.title) === keys[index]))
      return [problem(title, 'is not known', titleLines?.[index])];
    return keys.indexOf(keys[index] ?? '') < index ? [problem(title, 'is there twice', titleLines?.[index])] : [];
  });
  for (const [, { title, inHeader }] of known) {
    if (inHeader && !keys.includes(keyOf(title)) && (titles.length > 0 || titleLine !== undefined)) {
      problems.push(problem(title, 'is missing'));
    }
  }
  if (problems.length > 0) throw new ImportRefused(problems);
  return known.map(([name, column]) => [name, column, keys.indexOf(keyOf(column.title))]);
}

function readRows(file: string, table: Table, columns: readonly PlacedColumn[], raw: RawTable): TableFile {
  const rows: GivenRow<Readonly<Record<string, unknown>>>[] = [];
  const named: NamedRow<Readonly<Record<string, unknown>>>[] = [];
  const problems: Problem[] = [...raw.problems];
  for (const { line, cells } of raw.rows) {
    const place = { file, line };
    const row: Record<string, unknown> = {};
    const unsaid: string[] = [];
    const before = problems.length;
    for (const [name, { title, type, whenEmpty, saidByRow = false }, index] of columns) {
      const text = cells[index] ?? '';
      const isSaid = index !== -1 && (index >= cells.length || cells[index] !== undefined);
      if (!isSaid && !saidByRow) unsaid.push(name);
      const value = text === '' ? whenEmpty : type.read(text);
      if (value === undefined) {
        problems.push({ ...place, column: title, value: text, message: `expected ${type.expected}` });
      } else row[name] = value;
    }
    const mistake = problems.length === before ? table.check(row) : undefined;
    if (mistake !== undefined) {
      const index = columns.find(([, { title }]) => title === mistake.column)?.[2] ?? -1;
      problems.push({ ...place, ...mistake, value: cells[index] ?? '' });
    }
    named.push({ row, place });
    if (problems.length === before) rows.push({ row, unsaid, place });
  }
  return { table, rows, named, problems };
}
