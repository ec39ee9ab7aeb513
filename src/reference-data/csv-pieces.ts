/** Complete records of a CSV text, and how much text precedes them. */
export interface CsvPiece {
  readonly text: string;
  /** Lines before it. */
  readonly line: number;
  /** Characters before it. */
  readonly position: number;
}

/** Characters per piece: few enough that a file of any size is parsed with little memory. */
const PIECE = 1 << 18;

/** Splits a text with LF line ends between records. A record ends at a line end that is preceded by an even number of quotes. */
export function* csvPieces(text: string, size = PIECE): Generator<CsvPiece> {
  let line = 0;
  /** The first quote that has not been counted yet. It may be at the other end of the text, so it is looked for only once. */
  let quote = text.indexOf('"');
  for (let from = 0; from < text.length; ) {
    let isOpen = false;
    let end = text.indexOf('\n', from + size);
    for (; end !== -1; end = text.indexOf('\n', end + 1)) {
      for (; quote !== -1 && quote < end; quote = text.indexOf('"', quote + 1)) isOpen = !isOpen;
      if (!isOpen) break;
    }
    const to = end === -1 ? text.length : end + 1;
    const piece = text.slice(from, to);
    yield { text: piece, line, position: from };
    for (let at = piece.indexOf('\n'); at !== -1; at = piece.indexOf('\n', at + 1)) line++;
    from = to;
  }
}
