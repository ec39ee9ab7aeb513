import { guardCell } from '../reference-data/guard-cell.ts';

/** How a file is written: a row a line, ended by CR LF. Source: RFC 4180. */
export interface CsvStyle {
  readonly delimiter: string;
  /** A byte order mark, by which Excel knows UTF-8. */
  readonly byteOrderMark: boolean;
}

/** The line of a row, with its end. No cell of it is a formula to a spreadsheet. */
export const csvLine = (cells: readonly string[], { delimiter }: CsvStyle): string =>
  `${cells.map((cell) => quoted(guardCell(cell))).join(delimiter)}\r\n`;

const quoted = (cell: string): string => (/[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
