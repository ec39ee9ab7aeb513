import { basename, extname } from 'node:path';
import type { Column } from './column.ts';
import { decodeText } from './decode-text.ts';
import { ImportRefused, type Place, type Problem } from './problem.ts';
import type { Progress, RawTable } from './raw-table.ts';
import { readCsv } from './read-csv.ts';
import { isPersonal, TABLES, type Table } from './tables.ts';

/** A row that was read, and its location. */
export interface GivenRow<Row> {
  readonly row: Row;
  /** Names of the values that the file does not contain. In `row`, they are set as if their cells were empty. */
  readonly unsaid: readonly string[];
  readonly place: Place;
}

/** The readable part of a row, whether or not it has a mistake. */
export interface NamedRow<Row> {
  readonly row: Partial<Row>;
  readonly place: Place;
}

export interface TableFile {
  readonly table: Table;
  /** Rows without a mistake. */
  readonly rows: readonly GivenRow<Readonly<Record<string, unknown>>>[];
  /** The readable part of every row: as far as other rows are concerned, whatever a row with a mistake names exists. */
  readonly named: readonly NamedRow<Readonly<Record<string, unknown>>>[];
  readonly problems: readonly Problem[];
}

/**
 * Reads a CSV file. The table is the one after which the file is named, otherwise the one whose columns are in its header. Throws
 * ImportRefused if the file cannot be read as a table at all.
 */
export function readTableFile(file: string, bytes: Uint8Array, progress: Progress): TableFile {
  const raw = readCsv(decodeText(bytes, file), file, progress);
  const table = tableOf(file, raw.titles);
  if (table === undefined) {
    const message = `its header belongs to no table; expected the columns of one of ${TABLES.map(({ name }) => name).join(', ')}, or its name as the name of the file`;
    throw new ImportRefused([{ file, line: raw.titleLine, message }]);
  }
  return readRows(file, table, columnsOf(file, table, raw), raw);
}

/** Titles match in any case, with or without spaces, hyphens and underscores. */
const keyOf = (title: string): string => title.toLowerCase().replace(/[\s_-]/g, '');

function tableNamedLike(file: string): Table | undefined {
  const name = keyOf(basename(file, extname(file)));
  return TABLES.find((table) => keyOf(table.name) === name);
}

const isTitleOf = ({ title, alias }: Column<unknown>, key: string): boolean =>
  keyOf(title) === key || (alias !== undefined && keyOf(alias) === key);

function tableOf(file: string, titles: readonly string[]): Table | undefined {
  const named = tableNamedLike(file);
  if (named !== undefined) return named;
  const keys = titles.map(keyOf);
  return TABLES.find(({ columns }) => {
    const known = Object.values(columns);
    return (
      keys.every((key) => known.some((column) => isTitleOf(column, key))) &&
      known.every((column) => !column.inHeader || keys.some((key) => isTitleOf(column, key)))
    );
  });
}

/** Name of the value, its column, and its index in a row; -1 if it is missing. */
type PlacedColumn = readonly [name: string, column: Column<unknown>, index: number];

/** Throws ImportRefused for a column that is unknown, duplicated or missing, because its rows cannot be checked. */
function columnsOf(file: string, table: Table, { titles, titleLine }: RawTable): readonly PlacedColumn[] {
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

function readRows(file: string, table: Table, columns: readonly PlacedColumn[], raw: RawTable): TableFile {
  const rows: GivenRow<Readonly<Record<string, unknown>>>[] = [];
  const named: NamedRow<Readonly<Record<string, unknown>>>[] = [];
  const problems: Problem[] = [];
  const unsaid = columns.flatMap(([name, { saidByRow = false }, index]) => (index === -1 && !saidByRow ? [name] : []));
  // V8 turns an object into a hash table when many properties are added one by one, which takes four times the memory. Copies of a parsed
  // object keep its shape.
  const noValues = JSON.parse(JSON.stringify(Object.fromEntries(columns.map(([name]) => [name, null]))));
  for (const { line, cells } of raw.rows) {
    const place = { file, line };
    const row: Record<string, unknown> = { ...noValues };
    const before = problems.length;
    for (const [name, { title, type, whenEmpty, isPersonal = false }, index] of columns) {
      const cell = cells[index] ?? '';
      const bare = cell.trim();
      const value = bare === '' ? whenEmpty : type.read(type.keepsSpace === true ? cell : bare);
      if (value === undefined) {
        problems.push({
          ...place,
          column: title,
          value: isPersonal ? undefined : bare,
          message: `expected ${type.expected}`,
        });
      }
      row[name] = value;
    }
    const mistake = problems.length === before ? table.check(row) : undefined;
    if (mistake !== undefined) {
      const [, column, index = -1] = columns.find(([, { title }]) => title === mistake.column) ?? [];
      const value = column?.isPersonal === true ? undefined : (cells[index]?.trim() ?? '');
      problems.push({ ...place, ...mistake, value });
    }
    const known = { row, unsaid, place };
    named.push(known);
    if (problems.length === before) rows.push(known);
  }
  return { table, rows, named, problems: [...raw.problems, ...problems] };
}
