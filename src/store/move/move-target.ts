import type { MovedRow, MovedTable } from './moved-table.ts';

/** An empty database of the service, which is filled either completely or not at all. */
export interface MoveTarget {
  readonly description: string;
  /** Each table comes after the tables that it references. */
  readonly tables: readonly MovedTable[];
  /** Deletes the rows that the migrations inserted into a table. */
  clear(table: MovedTable): Promise<void>;
  insert(table: MovedTable, rows: readonly MovedRow[]): Promise<void>;
  /** Makes the counted column continue after a number. */
  goOnAfter(table: MovedTable, last: number): Promise<void>;
  rows(table: MovedTable): AsyncIterable<readonly MovedRow[]>;
  /** Makes everything permanent. */
  commit(): Promise<void>;
  /** Leaves the target empty unless it was committed. */
  close(): Promise<void>;
}
