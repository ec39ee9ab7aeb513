import type { MovedRow, MovedTable } from './moved-table.ts';

/** A database, read from a snapshot, so that later writes do not matter. */
export interface MoveSource {
  readonly description: string;
  readonly tables: readonly MovedTable[];
  count(table: MovedTable): Promise<number>;
  /** All rows, in batches. The order of the columns is that of `table`, which is the target's. */
  rows(table: MovedTable): AsyncIterable<readonly MovedRow[]>;
  /** The last number that the database has assigned in the counted column, whether or not its row still exists. */
  lastNumber(table: MovedTable): Promise<number>;
  /** Ends the snapshot. True if the database was written to after it was taken, or may have been by a running service. */
  changedSince(): Promise<boolean>;
  close(): Promise<void>;
}
