import type { MovedRow, MovedTable } from './moved-table.ts';

/** A database of the service without a row, which is filled as a whole or not at all. */
export interface MoveTarget {
  readonly description: string;
  /** Each after those that it refers to. */
  readonly tables: readonly MovedTable[];
  /** Takes away what the migrations have put into a table. */
  clear(table: MovedTable): Promise<void>;
  insert(table: MovedTable, rows: readonly MovedRow[]): Promise<void>;
  /** Lets the counted column go on after a number. */
  goOnAfter(table: MovedTable, last: number): Promise<void>;
  rows(table: MovedTable): AsyncIterable<readonly MovedRow[]>;
  /** Makes everything last. */
  commit(): Promise<void>;
  /** Leaves the target without a row, unless it was committed. */
  close(): Promise<void>;
}
