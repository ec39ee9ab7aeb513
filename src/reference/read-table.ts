import { isUtf8 } from 'node:buffer';
import { basename, extname } from 'node:path';
import { HORIZON_DAYS } from '../appointments/wanted-slot.ts';
import type { DateOrder } from '../contract/form-date-time.ts';
import { MINUTES_PER_DAY } from '../vocabulary/appointments.ts';
import { wallMinuteAt } from '../vocabulary/time-zone.ts';
import { formatWallDay } from '../vocabulary/wall-minute.ts';
import { ImportRefused, type Place, type Problem, type Problems } from './problem.ts';
import { type CsvTable, readCsv } from './read-csv.ts';
import { type Column, isPersonal, TABLE_NAMES, TABLES, type TableName } from './tables.ts';
import { undoFloats } from './undo-floats.ts';

export interface FileRow<Row> {
  readonly row: Row;
  readonly place: Place & { readonly line: number };
}

export interface ReadContext {
  /** How dates in numbers with the year last are written. */
  readonly dateOrder?: DateOrder;
  /** Instant, ms. */
  readonly now: number;
  /** What does not prevent an import. */
  readonly warnings: Problems;
}

/** A row whose cells are undefined where they have a mistake, and whether none has. */
export interface ReadRow<Row> extends FileRow<Row> {
  readonly isGood: boolean;
}

/**
 * Reads a CSV file. The table is the one after which the file is named, otherwise the one whose columns are in its header. Mistakes in rows
 * are added to the problems. Throws ImportRefused, also during the iteration, if the file cannot be read as a table.
 */
export async function readTable(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
  problems: Problems,
  context: ReadContext,
) {
  const csv = await readCsv(chunks, file, keepsBlanks, (warning) => context.warnings.add(warning));
  const table = tableOf(file, csv.titles);
  if (table === undefined) {
    const message = `its header belongs to no table; expected the columns of one of ${TABLE_NAMES.join(', ')}, or its name as the name of the file`;
    throw new ImportRefused([{ file, line: csv.titleLine, message }]);
  }
  const columns = columnsOf(file, table, csv);
  const latest = formatWallDay(wallMinuteAt(context.now, 'UTC') + 2 * HORIZON_DAYS * MINUTES_PER_DAY);
  return {
    table,
    /** Names of the values for which the file has no column. Its rows have them as if their cells were empty. */
    missing: columns.flatMap(([name, { whenMissing }, index]) => (index === -1 && !whenMissing ? [name] : [])),
    /** Those with as many cells as the header. They are read during the iteration, some at a time. */
    rows: (async function* () {
      const clocks = columns.flatMap(([, { type }, index]) => (type.isClock ? index : []));
      const onUndone = (undone: readonly number[]) =>
        context.warnings.add({ file, message: undoneText(csv.titles, undone) });
      for await (const rows of undoFloats(csv.rows, new Set(clocks), onUndone)) {
        yield rows.flatMap(({ line, cells }) => {
          const place = { file, line };
          const mistake = cellCountMistake(cells, csv.titles.length);
          if (mistake === undefined) return readRow(cells, place, table, columns, problems, { ...context, latest });
          problems.add({ ...place, message: mistake });
          return [];
        });
      }
    })(),
  };
}

/** In any case, with or without spaces, hyphens and underscores. */
const keyOf = (title: string): string => title.toLowerCase().replace(/[\s_-]/g, '');

/** Only templates have such a column. Spreadsheets do not quote a text because of its blanks. */
const keepsBlanks = (title: string): boolean => keyOf(title) === keyOf(TABLES.templates.columns.text?.title ?? '');

/** The name of the value whose column has this title. */
const nameOf = (table: TableName, title: string): string | undefined =>
  Object.entries(TABLES[table].columns).find(([, column]) =>
    [column.title, column.alias ?? column.title].map(keyOf).includes(keyOf(title)),
  )?.[0];

function tableOf(file: string, titles: readonly string[]): TableName | undefined {
  const fileKey = keyOf(basename(file, extname(file)));
  const hasTitles = (table: TableName): boolean => {
    const names = titles.map((title) => nameOf(table, title));
    const columns = Object.entries(TABLES[table].columns);
    return !names.includes(undefined) && columns.every(([name, { inHeader }]) => !inHeader || names.includes(name));
  };
  return TABLE_NAMES.find((name) => keyOf(name) === fileKey) ?? TABLE_NAMES.find(hasTitles);
}

/** Name of the value, its column, and its index in a row; -1 if it is missing. */
type PlacedColumn = readonly [name: string, column: Column<unknown>, index: number];

/** Throws ImportRefused for a column that is unknown, duplicated or missing, because its rows cannot be checked. */
function columnsOf(file: string, table: TableName, { titles, titleLine }: CsvTable): readonly PlacedColumn[] {
  const columns = Object.entries(TABLES[table].columns);
  const expected = `expected ${columns.map(([, { title }]) => title).join(', ')}`;
  const problem = (column: string | undefined, message: string): Problem => ({
    file,
    line: titleLine,
    column,
    message: `${message}; ${expected}`,
  });
  const names = titles.map((title) => nameOf(table, title));
  if (isPersonal(TABLES[table]) && names.filter((name) => name !== undefined).length * 2 < titles.length) {
    // It may be a row whose cells are patient data.
    throw new ImportRefused([problem(undefined, 'is not a header')]);
  }
  const problems = titles.flatMap((title, index) => {
    if (title === '') return [problem(undefined, 'a column has no title')];
    if (names[index] === undefined) return [problem(title, 'is unknown')];
    return names.indexOf(names[index]) < index ? [problem(title, 'appears twice')] : [];
  });
  for (const [name, { title, inHeader }] of columns) {
    if (inHeader && !names.includes(name)) problems.push(problem(title, 'is missing'));
  }
  if (problems.length > 0) throw new ImportRefused(problems);
  return columns.map(([name, column]) => [name, column, names.indexOf(name)]);
}

/** In a truncated row, the remaining cells would be empty, which could mean that a doctor has no hours, or a capacity of 1. */
function cellCountMistake(cells: readonly string[], titles: number): string | undefined {
  if (cells.length >= titles && cells.slice(titles).every((cell) => cell.trim() === '')) return undefined;
  const found = cells.length === 1 ? 'there is 1 cell' : `there are ${cells.length} cells`;
  return `${found}; expected ${titles}, as in the header, including empty ones`;
}

const MISDECODED =
  'looks as if the program that wrote the file had decoded it wrongly, such as "RÃ£o" for "Rão"; it is imported as it is';

const undoneText = (titles: readonly string[], columns: readonly number[]): string =>
  `a program wrote ".0" behind every whole number of ${columns.map((index) => titles[index]).join(', ')}; they are read without it`;

/** What a day means that is later than all others: for ever. */
const FOR_EVER = '9998-12-31';

function readRow(
  cells: readonly string[],
  place: FileRow<object>['place'],
  table: TableName,
  columns: readonly PlacedColumn[],
  problems: Problems,
  { dateOrder, warnings, latest }: ReadContext & { readonly latest: string },
): ReadRow<Readonly<Record<string, unknown>>> {
  const row: Record<string, unknown> = {};
  let isGood = true;
  const mistake = ([, { title, isPersonal }, index]: PlacedColumn, message: string) => {
    problems.add({ ...place, column: title, value: isPersonal ? undefined : (cells[index]?.trim() ?? ''), message });
    isGood = false;
  };
  for (const placed of columns) {
    const [name, { title, type, whenEmpty }, index] = placed;
    const cell = cells[index] ?? '';
    const bare = cell.trim();
    // What query tools write for null. Somebody may have meant the word.
    const isNull = bare === '\\N' || (bare === 'NULL' && !type.keepsSpace);
    const isEmpty = bare === '' || (isNull && whenEmpty !== undefined);
    row[name] = isEmpty ? whenEmpty : type.read(type.keepsSpace ? cell : bare, dateOrder);
    if (isMisdecoded(cell)) warnings.add({ ...place, column: title, message: MISDECODED });
    if (row[name] === undefined) mistake(placed, `expected ${type.expected}`);
    const day = row[name] == null ? undefined : type.dayOf?.(row[name]);
    if (day !== undefined && day > latest && day !== FOR_EVER) {
      const message = `is after ${latest}, which is beyond everything that can be booked; it is imported as it is`;
      warnings.add({ ...place, column: title, message });
    }
  }
  const contradiction = TABLES[table].check(row);
  const placed = columns.find(([name]) => name === contradiction?.name);
  if (contradiction !== undefined && placed !== undefined) mistake(placed, contradiction.message);
  return { row, place, isGood };
}

/** The bytes of the characters that windows-1252 has in the place of control characters. */
const BYTES = new Map(
  Array.from({ length: 32 }, (_, n) => [new TextDecoder('windows-1252').decode(Uint8Array.of(128 + n)), 128 + n]),
);

/** Whether a program before this one decoded the text wrongly: U+FFFD, or UTF-8 that was read as windows-1252, such as `RÃ£o`. */
const isMisdecoded = (text: string): boolean =>
  text.includes('\ufffd') || (text.match(/[\u0080-\uffff]{2,}/g)?.some(wasUtf8) ?? false);

function wasUtf8(characters: string): boolean {
  const bytes = Array.from(characters, (one) => BYTES.get(one) ?? one.charCodeAt(0));
  return bytes.every((byte) => byte < 256) && isUtf8(Uint8Array.from(bytes));
}
