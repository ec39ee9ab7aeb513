import { isUtf8 } from 'node:buffer';
import { finished } from 'node:stream/promises';
import { CsvError, type Options, parse } from 'csv-parse';
import { decodeText, provenEncoding } from '../vocabulary/decode-text.ts';
import { withLineFeeds } from '../vocabulary/text.ts';
import { ImportRefused, type Problem } from './problem.ts';
import { unguardCell } from './write-csv.ts';

export interface CsvRow {
  /** From 1; of a row on several lines, the first. */
  readonly line: number;
  /** In the order of the titles, including white space that was quoted, or that belongs to the text of its column. */
  readonly cells: readonly string[];
}

export type CsvTable = Awaited<ReturnType<typeof readCsv>>;

type Warn = (warning: Problem) => void;

const DELIMITERS = [',', ';', '\t'] as const;
/** Characters: many times the longest row whose cells all have their greatest length. */
const LONGEST_ROW = 1 << 20;
/** Bytes that are read at once. The first of them show the delimiter and the titles. */
const PIECE = 1 << 16;

/** A first line for Excel. */
const SEPARATOR = /^sep=([,;\t])[ \t]*(?:\r\n|\n|\r)/i;
/** Ctrl-Z, with which DOS ends a text. */
const END_OF_FILE = '\u001a';

/** What an export, or a program that writes for Excel, put around a text so that no spreadsheet evaluates it. */
const bareCell = (cell: string): string => unguardCell(/^="([^"]*)"$/.exec(cell)?.[1] ?? cell);

const NO_TEXT = 'is not UTF-8 text; expected a file saved as "CSV UTF-8"';
const READ_AS_WINDOWS = 'is not UTF-8, and is read as windows-1252';
const NOT_CSV =
  'a quote is not closed, or does not enclose the whole cell; expected the whole cell in quotes, and quotes within it doubled';

/**
 * Reads comma-, semicolon- or tab-separated text with a header, as spreadsheets write it: any line ends, quoted cells, cells with several
 * lines, empty lines, `sep=;` before the header, `="0012"` for a text that looks like a number, and DOS's end of file. Throws ImportRefused for text that is not CSV. `keepsBlanks` says of a title whether blanks at the ends
 * of its cells count even without quotes.
 */
export async function readCsv(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
  keepsBlanks = (_title: string): boolean => false,
  warn: Warn = () => {},
) {
  const rows = rowsOf(textsOf(chunks, file, warn), file, keepsBlanks);
  const { value: [header, ...others] = [] } = await rows.next();
  if (header === undefined) throw new ImportRefused([{ file, message: 'is empty; expected a header and rows' }]);
  const names = header.cells.map((cell) => cell.trim());
  return {
    titles: names.slice(0, names.findLastIndex((name) => name !== '') + 1),
    titleLine: header.line,
    /** Those that contain anything, some at a time. They are read during the iteration, which is possible once. */
    rows: (async function* () {
      yield others;
      yield* rows;
    })(),
  };
}

async function* rowsOf(
  texts: AsyncIterable<string>,
  file: string,
  keepsBlanks: (title: string) => boolean,
): AsyncGenerator<readonly CsvRow[], undefined> {
  /** Where the next row begins. */
  let line = 1;
  let formula = /(?!)/g;
  let rows: CsvRow[] = [];
  const onRecord = (written: readonly string[]): null => {
    const cells = written.map(withLineFeeds);
    if (cells.some((cell) => cell.trim() !== '')) rows.push({ line, cells: cells.map(bareCell) });
    line += 1 + cells.reduce((sum, cell) => sum + lineFeeds(cell), 0);
    return null;
  };
  let parser: ReturnType<typeof parse> | undefined;
  try {
    for await (const text of wholeLines(texts)) {
      const [first = '', declared] = parser === undefined ? (SEPARATOR.exec(text) ?? []) : [];
      line += first === '' ? 0 : 1;
      const rest = text.slice(first.length);
      if (parser === undefined) {
        const delimiter = declared ?? delimiterOf(headerOf(rest));
        // No quoted cell contains this: a single quote ends it, and a delimiter or a line end follows.
        formula = new RegExp(`(^|[${delimiter}\\r\\n])="([^"\\r\\n${delimiter}]+)"(?=[${delimiter}\\r\\n]|$)`, 'g');
        parser = parserOf(headerOf(rest), delimiter, keepsBlanks, onRecord);
      }
      await write(parser, rest.replace(formula, '$1"$2"'));
      if (rows.length > 0) yield rows;
      rows = [];
    }
    parser?.end();
    if (parser !== undefined) await finished(parser, { readable: false });
    if (rows.length > 0) yield rows;
  } catch (error) {
    throw error instanceof CsvError ? new ImportRefused([{ file, line, message: NOT_CSV }]) : error;
  }
}

/** A text in pieces that end with a line, unless a line is longer than any row. */
async function* wholeLines(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const text of texts) {
    rest += text;
    const end = rest.length > LONGEST_ROW ? rest.length : rest.lastIndexOf('\n') + 1;
    if (end > 0) yield rest.slice(0, end);
    rest = rest.slice(end);
  }
  const [last = ''] = rest.split(END_OF_FILE, 1);
  if (last !== '') yield last;
}

/**
 * Large pieces of a file's text. Each is a text of its own for `decodeText`, but not in UTF-16, where no single byte ends a line. Throws
 * ImportRefused, with the line, for bytes that no reading fits.
 */
async function* textsOf(chunks: AsyncIterable<Uint8Array>, file: string, warn: Warn): AsyncGenerator<string> {
  let wide: TextDecoder | undefined;
  let line = 1;
  let isFirst = true;
  for await (const piece of piecesOf(chunks)) {
    const proven = isFirst ? provenEncoding(piece) : undefined;
    if (proven?.startsWith('utf-16')) wide = new TextDecoder(proven, { fatal: true });
    isFirst = false;
    try {
      const text = wide?.decode(piece, { stream: piece.length > 0 }) ?? decodeText(piece);
      if (wide === undefined && !isUtf8(piece))
        warn({ file, line: lineOfBadByte(piece, line), message: READ_AS_WINDOWS });
      line += lineFeeds(text);
      yield text;
    } catch {
      throw new ImportRefused([{ file, line: lineOfBadByte(piece, line), message: NO_TEXT }]);
    }
  }
}

/** The line of the first byte that is not UTF-8, in a piece that begins with the given one. */
const lineOfBadByte = (piece: Buffer, line: number): number =>
  line + lineFeeds(piece.toString().split('\ufffd', 1)[0] ?? '');

/** Large pieces of a file that end with a line end, unless a line is longer than any row; the last one is empty. */
async function* piecesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk]);
    const end = rest.length > LONGEST_ROW ? rest.length : Math.max(rest.lastIndexOf('\n'), rest.lastIndexOf('\r')) + 1;
    if (rest.length < PIECE || end === 0) continue;
    yield rest.subarray(0, end);
    rest = rest.subarray(end);
  }
  if (rest.length > 0) yield rest;
  yield rest.subarray(0, 0);
}

const headerOf = (text: string): string => /[^\r\n]+/.exec(text)?.[0] ?? '';

function parserOf(
  header: string,
  delimiter: string,
  keepsBlanks: (title: string) => boolean,
  onRecord: (cells: readonly string[]) => null,
) {
  const kept = header.split(delimiter).map((title) => keepsBlanks(title.replaceAll('"', '').trim()));
  const keepsAny = kept.includes(true);
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: LONGEST_ROW,
    relax_column_count: true,
    trim: !keepsAny,
    // For each cell, the parser describes where it is, which takes longer than anything else.
    cast: keepsAny && ((cell, { quoting, index }) => (quoting || kept[index] === true ? cell : cell.trim())),
    on_record: onRecord as unknown as NonNullable<Options['on_record']>,
  });
  // The write that met an error is told, too.
  return parser.on('error', () => {});
}

const write = (parser: ReturnType<typeof parse>, text: string): Promise<void> =>
  new Promise((resolve, reject) => parser.write(text, (error) => (error ? reject(error) : resolve())));

function lineFeeds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** The delimiter that occurs most often in the header, outside quotes. */
function delimiterOf(header: string): string {
  const first = header.replace(/"[^"]*"/g, '');
  const count = (delimiter: string): number => first.split(delimiter).length;
  return DELIMITERS.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best));
}
