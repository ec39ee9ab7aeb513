import { CsvError, type Info, type Options, parse } from 'csv-parse/sync';
import { lineEnds, textsOf } from './csv-text.ts';
import { ImportRefused } from './problem.ts';
import { unguardCell } from './write-csv.ts';

export interface CsvRow {
  /** From 1; of a row on several lines, the first. */
  readonly line: number;
  /** In the order of the titles, including white space that was quoted. */
  readonly cells: readonly string[];
}

export interface CsvTable {
  readonly titles: readonly string[];
  readonly titleLine: number;
  /** Rows without cells are left out. They are read during the iteration, some at a time, and can be read once. */
  readonly rows: AsyncIterable<readonly CsvRow[]>;
}

const DELIMITERS = [',', ';', '\t'] as const;
/** The line that specifies the delimiter for Excel. */
const SEP_LINE = /^"?sep=(.)"?\n/i;
/** Characters: many times the longest row whose cells all have their greatest length. */
const LONGEST_ROW = 1 << 20;

/**
 * Reads comma-, semicolon- or tab-separated text with a header, as spreadsheets write it: any line ends, quoted cells, cells with several
 * lines, a `sep=` line, empty lines. Throws ImportRefused for text that is not CSV.
 */
export async function readCsv(chunks: AsyncIterable<Uint8Array>, file: string): Promise<CsvTable> {
  const batches = rowsOf(textsOf(chunks, file), file);
  const [header, ...first] = (await batches.next()).value ?? [];
  if (header === undefined) throw new ImportRefused([{ file, message: 'is empty; expected a header and rows' }]);
  const names = header.cells.map((cell) => cell.trim());
  return {
    titles: names.slice(0, names.findLastIndex((name) => name !== '') + 1),
    titleLine: header.line,
    rows: (async function* () {
      yield first;
      yield* batches;
    })(),
  };
}

/** Rows that contain anything, never none. */
async function* rowsOf(texts: AsyncIterable<string>, file: string): AsyncGenerator<readonly CsvRow[], undefined> {
  let delimiter: string | undefined;
  let line = 0;
  for await (const text of wholeRows(texts, file)) {
    let body = text;
    if (delimiter === undefined) {
      const sep = SEP_LINE.exec(text);
      body = text.slice(sep?.[0].length ?? 0);
      line += lineEnds(sep?.[0] ?? '');
      delimiter = sep?.[1] ?? delimiterOf(body);
    }
    const rows = parseRows(body, file, delimiter, line);
    line += lineEnds(body);
    if (rows.length > 0) yield rows;
  }
}

/** The same text, divided between rows: at line ends that an even number of quotes precedes. */
async function* wholeRows(texts: AsyncIterable<string>, file: string): AsyncGenerator<string> {
  let text = '';
  let line = 1;
  for await (const more of texts) {
    text += more;
    const end = endOfRows(text);
    if (end > 0) yield text.slice(0, end);
    line += lineEnds(text.slice(0, end));
    text = text.slice(end);
    if (text.length < LONGEST_ROW) continue;
    const message = `a row is longer than ${LONGEST_ROW} characters; expected a closing quote or a line break before`;
    throw new ImportRefused([{ file, line, message }]);
  }
  if (text !== '') yield text;
}

function endOfRows(text: string): number {
  let end = 0;
  let isOpen = false;
  for (let from = 0; ; isOpen = !isOpen) {
    const quote = text.indexOf('"', from);
    const to = quote === -1 ? text.length : quote;
    const last = isOpen || to === from ? -1 : text.lastIndexOf('\n', to - 1);
    if (last >= from) end = last + 1;
    if (quote === -1) return end;
    from = quote + 1;
  }
}

/** The delimiter that occurs most often in the first line, outside quotes. */
function delimiterOf(text: string): string {
  const first = /[^\n]+/.exec(text)?.[0].replace(/"[^"]*"/g, '') ?? '';
  const count = (delimiter: string): number => first.split(delimiter).length;
  return DELIMITERS.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best));
}

/** `before`: how many lines precede the text. */
function parseRows(text: string, file: string, delimiter: string, before: number): CsvRow[] {
  let parsedLines = 0;
  const toRow = (record: readonly string[], { lines }: Info): CsvRow | null => {
    parsedLines = lines;
    if (record.every((cell) => cell.trim() === '')) return null;
    // The parser reports the line on which a record ends.
    const inner = record.reduce((sum, cell) => sum + lineEnds(cell), 0);
    return { line: lines - inner + before, cells: record.map(unguardCell) };
  };
  const options: Options = {
    delimiter,
    record_delimiter: '\n',
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    on_record: toRow as unknown as NonNullable<Options['on_record']>,
  };
  try {
    return parse(text, options) as unknown as CsvRow[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const start = text.split('\n').findIndex((line, index) => index >= parsedLines && line.trim() !== '') + 1;
    throw new ImportRefused([{ file, line: start + before, message: quoteMistake(error, start) }]);
  }
}

/** `start`: the line on which the row with the mistake begins. */
function quoteMistake({ code, lines }: CsvError, start: number): string {
  if (code === 'INVALID_OPENING_QUOTE') {
    return 'there is a quote inside a cell; expected the whole cell in quotes, and quotes within it doubled';
  }
  if (code === 'CSV_INVALID_CLOSING_QUOTE' && lines === start) {
    return 'text follows a closing quote; expected a delimiter, and quotes within a quoted cell doubled';
  }
  return 'a quote opens a cell here and is not closed; expected a closing quote';
}
