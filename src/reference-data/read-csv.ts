import { CsvError, type Info, type Options, parse } from 'csv-parse/sync';
import { csvPieces } from './csv-pieces.ts';
import { unguardCell } from './guard-cell.ts';
import { openQuoteLine } from './open-quote-line.ts';
import { ImportRefused, type Problem } from './problem.ts';
import type { Progress, RawRow, RawTable } from './raw-table.ts';

const DELIMITERS = [',', ';', '\t'] as const;
/** The line that specifies the delimiter for Excel. */
const SEP_LINE = /^"?sep=(.)"?\n/i;

/**
 * Reads comma-, semicolon- or tab-separated text with a header, as spreadsheets write it: any line ends, quoted cells, cells with several
 * lines, a `sep=` line, empty lines. Throws ImportRefused for text that is not CSV.
 */
export function readCsv(text: string, file: string, progress: Progress): RawTable {
  // The parser counts CR LF inside quotes as two lines.
  const unix = text.replace(/\r\n?/g, '\n');
  const sep = SEP_LINE.exec(unix);
  const body = sep === null ? unix : unix.slice(sep[0].length);
  const skipped = sep === null ? 0 : 1;
  const delimiter = sep?.[1] ?? delimiterOf(body);
  const records = recordsOf(body, file, delimiter, skipped, progress);
  const header = records.next().value;
  if (header === undefined) throw new ImportRefused([{ file, message: 'is empty; expected a header and rows' }]);
  const names = header.cells.map((cell) => cell.trim());
  const titles = names.slice(0, names.findLastIndex((name) => name !== '') + 1);
  const problems: Problem[] = [];
  return { titles, titleLine: header.line, rows: wholeRows(records, titles.length, file, problems), problems };
}

/**
 * Rows with as many cells as there are titles. In a truncated row, the remaining cells would be empty, which could mean that a doctor has
 * no hours, or a capacity of 1.
 */
function* wholeRows(records: Iterable<RawRow>, titles: number, file: string, problems: Problem[]): Generator<RawRow> {
  for (const row of records) {
    const { line, cells } = row;
    if (cells.length >= titles && cells.slice(titles).every((cell) => cell.trim() === '')) {
      yield row;
      continue;
    }
    const message = `there ${cells.length === 1 ? 'is 1 cell' : `are ${cells.length} cells`}; expected ${titles}, as in the header, including empty ones`;
    problems.push({ file, line, message });
  }
}

/** The delimiter that occurs most often in the first line, outside quotes. */
function delimiterOf(text: string): string {
  const first = /[^\n]+/.exec(text)?.[0].replace(/"[^"]*"/g, '') ?? '';
  const count = (delimiter: string): number => first.split(delimiter).length;
  return DELIMITERS.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best));
}

function* recordsOf(
  text: string,
  file: string,
  delimiter: string,
  skipped: number,
  progress: Progress,
): Generator<RawRow, undefined> {
  for (const piece of csvPieces(text)) {
    progress(piece.position / text.length);
    yield* parseRows(piece.text, file, delimiter, skipped + piece.line);
  }
}

function parseRows(text: string, file: string, delimiter: string, skipped: number): RawRow[] {
  const toRow = (record: readonly string[], { lines }: Info): RawRow | null => {
    if (record.every((cell) => cell.trim() === '')) return null;
    // The parser reports the line on which a record ends.
    const inner = record.reduce((sum, cell) => sum + (cell.match(/\n/g)?.length ?? 0), 0);
    return { line: lines - inner + skipped, cells: record.map(unguardCell) };
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
    return parse(text, options) as unknown as RawRow[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new ImportRefused([{ file, ...quoteMistake(error, text, delimiter, skipped) }]);
  }
}

/** The mistake, at the line that must be corrected; `skipped` lines precede `text`. */
function quoteMistake(
  { code, lines }: CsvError,
  text: string,
  delimiter: string,
  skipped: number,
): { readonly line: number | undefined; readonly message: string } {
  const line = typeof lines === 'number' ? lines + skipped : undefined;
  if (code === 'INVALID_OPENING_QUOTE') {
    const message = 'there is a quote inside a cell; expected the whole cell in quotes, and quotes within it doubled';
    return { line, message };
  }
  if (code !== 'CSV_QUOTE_NOT_CLOSED' && code !== 'CSV_INVALID_CLOSING_QUOTE') return { line, message: 'is not CSV' };
  const opened = openQuoteLine(text, delimiter) + skipped;
  if (code === 'CSV_INVALID_CLOSING_QUOTE' && opened === line) {
    const message = 'text follows a closing quote; expected a delimiter, and quotes within a quoted cell doubled';
    return { line, message };
  }
  return { line: opened, message: 'a quote opens a cell here and is not closed; expected a closing quote' };
}
