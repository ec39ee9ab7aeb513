/** Complete records of a CSV text, and how much precedes them. */
export interface CsvPiece {
  readonly text: string;
  /** Lines before it. */
  readonly line: number;
  /** Characters before it. */
  readonly position: number;
}

/** Characters per piece: few enough that a file of any size is parsed in little memory. */
const PIECE = 1 << 22;

/** Cuts a text with LF line ends between records. A record ends at a line end that has an even number of quotes before it. */
export function* csvPieces(text: string, size = PIECE): Generator<CsvPiece> {
  let line = 0;
  for (let from = 0; from < text.length; ) {
    const to = recordEnd(text, from, from + size);
    const piece = text.slice(from, to);
    yield { text: piece, line, position: from };
    for (let at = piece.indexOf('\n'); at !== -1; at = piece.indexOf('\n', at + 1)) line++;
    from = to;
  }
}

/** The end of the record that contains `wanted`; `from` is the start of a record. */
function recordEnd(text: string, from: number, wanted: number): number {
  let isOpen = false;
  let quote = text.indexOf('"', from);
  for (let end = text.indexOf('\n', wanted); end !== -1; end = text.indexOf('\n', end + 1)) {
    for (; quote !== -1 && quote < end; quote = text.indexOf('"', quote + 1)) isOpen = !isOpen;
    if (!isOpen) return end + 1;
  }
  return text.length;
}
