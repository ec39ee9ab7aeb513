import { finished } from 'node:stream/promises';
import { CsvError, type Options, parse } from 'csv-parse';
import { withLineFeeds } from './cell-types.ts';
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
  /** Those that contain anything, some at a time. They are read during the iteration, which is possible once. */
  readonly rows: AsyncIterable<readonly CsvRow[]>;
}

const DELIMITERS = [',', ';', '\t'] as const;
/** The line that specifies the delimiter for Excel. */
const SEP_LINE = /^"?sep=(.)"?(?:\r\n|\r|\n)/i;
/** Characters: many times the longest row whose cells all have their greatest length. */
const LONGEST_ROW = 1 << 20;
/** Bytes that are read at once. The first of them show the encoding, the delimiter and the titles. */
const PIECE = 1 << 16;
/** What a decoder writes in the place of bytes that are no text. */
const NO_CHARACTER = '\ufffd';

const NO_TEXT = 'is not UTF-8 text; expected a file saved as "CSV UTF-8"';
const NOT_CSV =
  'a quote is not closed, or does not enclose the whole cell; expected the whole cell in quotes, and quotes within it doubled';

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
  const rows = rowsOf(chunks, file, keepsBlanks);
  const { value: [header, ...others] = [] } = await rows.next();
  if (header === undefined) throw new ImportRefused([{ file, message: 'is empty; expected a header and rows' }]);
  const names = header.cells.map((cell) => cell.trim());
  return {
    titles: names.slice(0, names.findLastIndex((name) => name !== '') + 1),
    titleLine: header.line,
    rows: (async function* () {
      yield others;
      yield* rows;
    })(),
  };
}

async function* rowsOf(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
  keepsBlanks: (title: string) => boolean,
): AsyncGenerator<readonly CsvRow[], undefined> {
  /** Where the next row begins. */
  let line = 1;
  let rows: CsvRow[] = [];
  const onRecord = (written: readonly string[]): null => {
    const cells = written.map(withLineFeeds);
    if (cells.some((cell) => cell.trim() !== '')) rows.push({ line, cells: cells.map(unguardCell) });
    line += 1 + cells.reduce((sum, cell) => sum + lineFeeds(cell), 0);
    return null;
  };
  let parser: ReturnType<typeof parse> | undefined;
  try {
    for await (const piece of textsOf(chunks)) {
      let text = piece;
      if (parser === undefined) {
        const [sepLine = '', sep] = SEP_LINE.exec(piece) ?? [];
        text = piece.slice(sepLine.length);
        if (sep !== undefined) line++;
        parser = parserOf(text, sep, keepsBlanks, onRecord);
      }
      await write(parser, text);
      if (rows.length > 0) yield rows;
      rows = [];
    }
    parser?.end();
    if (parser !== undefined) await finished(parser, { readable: false });
    if (rows.length > 0) yield rows;
  } catch (error) {
    if (error instanceof CsvError) throw new ImportRefused([{ file, line, message: NOT_CSV }]);
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? new ImportRefused([{ file, line, message: NO_TEXT }]) : error;
  }
}

/**
 * Large pieces of a file's text: UTF-8 with or without a byte order mark, or UTF-16 with one, which spreadsheets call Unicode text. Throws
 * after the text before the first byte that is wrong.
 */
async function* textsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let bytes: Uint8Array = new Uint8Array();
  function* text(stream: boolean) {
    decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true });
    try {
      yield decoder.decode(bytes, { stream });
    } catch (error) {
      // The first of these bytes may be the rest of a character. The parser looks ahead, so something has to follow the text.
      const [before = ''] = new TextDecoder(decoder.encoding)
        .decode(bytes)
        .replace(/^\ufffd+/, '')
        .split(NO_CHARACTER, 1);
      yield `${before}${NO_CHARACTER.repeat(3)}`;
      throw error;
    }
    bytes = new Uint8Array();
  }
  for await (const chunk of chunks) {
    bytes = Buffer.concat([bytes, chunk]);
    if (bytes.length >= PIECE) yield* text(true);
  }
  yield* text(false);
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/** `text` begins with the header, and `sep` is the delimiter if the file names it. */
function parserOf(
  text: string,
  sep: string | undefined,
  keepsBlanks: (title: string) => boolean,
  onRecord: (cells: readonly string[]) => null,
) {
  const [header = ''] = /[^\r\n]+/.exec(text) ?? [];
  const delimiter = sep ?? delimiterOf(header);
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
