import { guardCell } from '../reference-data/guard-cell.ts';

/** How a file is written: one row per line, terminated by CR LF. Source: RFC 4180. */
export interface CsvStyle {
  readonly delimiter: string;
  /** A byte order mark, by which Excel recognizes UTF-8. */
  readonly byteOrderMark: boolean;
}

/** The line of a row, with its line end. Spreadsheets treat none of its cells as a formula. */
export const csvLine = (cells: readonly string[], { delimiter }: CsvStyle): string =>
  `${cells.map((cell) => quoted(guardCell(cell))).join(delimiter)}\r\n`;

const quoted = (cell: string): string => (/[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
