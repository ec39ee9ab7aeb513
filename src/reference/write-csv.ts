/**
 * The line of a row, with its line end. `plain`: its cells are as they are, for programs; otherwise, spreadsheets treat none of them as a
 * formula. Source: RFC 4180.
 */
export const csvLine = (cells: readonly string[], plain = false): string =>
  `${cells.map((cell) => quoted(plain ? cell : guardCell(cell))).join(',')}\r\n`;

const quoted = (cell: string): string => (/[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/**
 * Where a spreadsheet begins to read a formula, with the apostrophe that may already be there: at the beginning of a cell and, because a reader
 * that splits at semicolons, tabs or lines may not heed our quotes, behind each of these; also behind quotes and blanks, and with full-width
 * signs in a Japanese or Chinese locale. A cell must not begin with a tab or a line end either. Source: OWASP, CSV Injection.
 */
export const FORMULA_START = /(?<![^;\t\r\n])'?(?=(?:["']|[^\S\t\r\n])*[=+\-@＝＋－＠])|^'?(?='*[\t\r\n])/g;

/** The cell with an apostrophe wherever a spreadsheet would evaluate it, or where it looks as if one had been put there. */
export const guardCell = (text: string): string => text.replace(FORMULA_START, "'$&");

/** The inverse. */
export const unguardCell = (text: string): string => text.replace(FORMULA_START, '');
