/**
 * The line of a row, with its line end. `plain`: its cells are as they are, for programs; otherwise, spreadsheets treat none of them as a
 * formula. Source: RFC 4180.
 */
export const csvLine = (cells: readonly string[], plain = false): string =>
  `${cells.map((cell) => quoted(plain ? cell : guardCell(cell))).join(',')}\r\n`;

const quoted = (cell: string): string => (/[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/**
 * Spreadsheets treat cells that begin like this as formulas, including full-width signs in a Japanese or Chinese locale. Source: OWASP, CSV
 * Injection.
 */
const DANGEROUS = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** The cell, prefixed with an apostrophe if a spreadsheet would evaluate it, or if it looks as if it already had such a prefix. */
export const guardCell = (text: string): string => (DANGEROUS.test(text) ? `'${text}` : text);

/** The inverse. */
export const unguardCell = (text: string): string =>
  text.startsWith("'") && DANGEROUS.test(text) ? text.slice(1) : text;
