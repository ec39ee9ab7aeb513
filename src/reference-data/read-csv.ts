import { pipeline, Readable } from 'node:stream';
import { CsvError, type Info, type Options, parse } from 'csv-parse';
import { lineEnds, textsOf } from './csv-text.ts';
import { ImportRefused } from './problem.ts';
import { unguardCell } from './write-csv.ts';

export interface CsvRow {
  /** From 1; of a row on several lines, the first. */
  readonly line: number;
  /** In the order of the titles, including white space that was quoted, or that belongs to the text of its column. */
  readonly cells: readonly string[];
}

export interface CsvTable {
  readonly titles: readonly string[];
  readonly titleLine: number;
  /** Those that contain anything. They are read during the iteration, which is possible once. */
  readonly rows: AsyncIterable<CsvRow>;
}

const DELIMITERS = [',', ';', '\t'] as const;
/** The line that specifies the delimiter for Excel. */
const SEP_LINE = /^"?sep=(.)"?\n/i;
/** Characters: many times the longest row whose cells all have their greatest length. */
const LONGEST_ROW = 1 << 20;

/**
 * Reads comma-, semicolon- or tab-separated text with a header, as spreadsheets write it: any line ends, quoted cells, cells with several
 * lines, a `sep=` line, empty lines. Throws ImportRefused for text that is not CSV. `keepsBlanks` says of a title whether blanks at the ends
 * of its cells count even without quotes.
 */
export async function readCsv(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
  keepsBlanks = (_title: string): boolean => false,
): Promise<CsvTable> {
  const rows = rowsOf(textsOf(chunks, file), file, keepsBlanks);
  const { value: header } = await rows.next();
  if (header === undefined) throw new ImportRefused([{ file, message: 'is empty; expected a header and rows' }]);
  const names = header.cells.map((cell) => cell.trim());
  return { titles: names.slice(0, names.findLastIndex((name) => name !== '') + 1), titleLine: header.line, rows };
}

async function* rowsOf(
  texts: AsyncGenerator<string>,
  file: string,
  keepsBlanks: (title: string) => boolean,
): AsyncGenerator<CsvRow, undefined> {
  let head = '';
  while (!/[^\n]\n/.test(head)) {
    const { value, done } = await texts.next();
    if (done === true) break;
    head += value;
    if (head.length > LONGEST_ROW) {
      throw new ImportRefused([{ file, line: 1, message: 'there is no header within the first million characters' }]);
    }
  }
  const [sepLine = '', sep] = SEP_LINE.exec(head) ?? [];
  const skipped = lineEnds(sepLine);
  let last: Pick<Info, 'lines' | 'empty_lines'> = { lines: 0, empty_lines: 0 };
  const toRow = (cells: readonly string[], info: Info): CsvRow | null => {
    last = { lines: info.lines, empty_lines: info.empty_lines };
    if (cells.every((cell) => cell.trim() === '')) return null;
    // The parser reports the line on which a record ends.
    const inner = cells.reduce((sum, cell) => sum + lineEnds(cell), 0);
    return { line: info.lines - inner + skipped, cells: cells.map(unguardCell) };
  };
  const [header = ''] = /[^\n]+/.exec(head.slice(sepLine.length)) ?? [];
  const delimiter = sep ?? delimiterOf(header);
  const kept = header.split(delimiter).map((title) => keepsBlanks(title.replaceAll('"', '').trim()));
  const parser = parse({
    delimiter,
    record_delimiter: '\n',
    max_record_size: LONGEST_ROW,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: !kept.includes(true),
    cast: (cell, { quoting, index }) => (quoting || kept[index] === true ? cell : cell.trim()),
    on_record: toRow as unknown as NonNullable<Options['on_record']>,
  });
  const source = async function* () {
    yield head.slice(sepLine.length);
    yield* texts;
  };
  // An error of the source ends the iteration, too.
  pipeline(Readable.from(source()), parser, () => {});
  try {
    yield* parser as AsyncIterable<CsvRow>;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const start = last.lines + Number(error.empty_lines) - last.empty_lines + 1;
    throw new ImportRefused([{ file, line: start + skipped, message: mistakeOf(error, start) }]);
  }
}

/** The delimiter that occurs most often in the header, outside quotes. */
function delimiterOf(header: string): string {
  const first = header.replace(/"[^"]*"/g, '');
  const count = (delimiter: string): number => first.split(delimiter).length;
  return DELIMITERS.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best));
}

/** `start`: the line on which the row with the mistake begins. */
function mistakeOf({ code, lines }: CsvError, start: number): string {
  if (code === 'INVALID_OPENING_QUOTE') {
    return 'there is a quote inside a cell; expected the whole cell in quotes, and quotes within it doubled';
  }
  if (code === 'CSV_INVALID_CLOSING_QUOTE' && lines === start) {
    return 'text follows a closing quote; expected a delimiter, and quotes within a quoted cell doubled';
  }
  return 'a quote opens a cell here and is not closed; expected a closing quote';
}
