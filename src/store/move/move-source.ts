import type { MovedRow, MovedTable } from './moved-table.ts';

/** A database that is read as it was at one moment, whatever is written meanwhile. */
export interface MoveSource {
  readonly description: string;
  readonly tables: readonly MovedTable[];
  count(table: MovedTable): Promise<number>;
  /** All rows, some at a time; columns in the order of `table`, which is the target's. */
  rows(table: MovedTable): AsyncIterable<readonly MovedRow[]>;
  /** The last number that the database has given in the counted column, whether its row is still there or not. */
  lastNumber(table: MovedTable): Promise<number>;
  /** Ends the snapshot; true if something was written to the database since it began, or may have been by a service that runs. */
  changedSince(): Promise<boolean>;
  close(): Promise<void>;
}
