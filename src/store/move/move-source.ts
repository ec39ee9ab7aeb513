import type { MovedRow, MovedTable } from './moved-table.ts';

/** A database that is read as it was at one moment, regardless of later writes. */
export interface MoveSource {
  readonly description: string;
  readonly tables: readonly MovedTable[];
  count(table: MovedTable): Promise<number>;
  /** All rows, in batches; columns in the order of `table`, which is the target's. */
  rows(table: MovedTable): AsyncIterable<readonly MovedRow[]>;
  /** The last number that the database has assigned in the counted column, whether or not its row still exists. */
  lastNumber(table: MovedTable): Promise<number>;
  /** Ends the snapshot; true if something was written to the database since it began, or may have been by a running service. */
  changedSince(): Promise<boolean>;
  close(): Promise<void>;
}
