import type { ColumnDataType, ColumnDefinitionBuilder, CreateTableBuilder, Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/**
 * Which rows of an append-only table may be deleted: those older than an instant that the deleting transaction has written to
 * `service_mark`. The transaction removes the mark before it ends, so that no other transaction ever sees it.
 */
export interface DeletionWindow {
  /** The column that holds a row's instant, ms. */
  readonly age: string;
  /** Name of the mark; its value is an instant in ms, in decimal digits. */
  readonly mark: string;
}

/** The values that a migration builds into the guards. A migration step never changes its numbers. */
export interface GuardBounds {
  /** Appointments with this status or a lower one occupy their slot. */
  readonly lastHoldingStatus: number;
  /** Minutes. */
  readonly longestSlot: number;
}

/** Everything that differs between the two databases. Everything else in this folder is shared. */
export interface DatabaseDifferences {
  /** Appended to CREATE TABLE: SQLite's tables are declared STRICT, whereas PostgreSQL's are always strict. */
  readonly endTable: <T extends string, C extends string>(table: CreateTableBuilder<T, C>) => CreateTableBuilder<T, C>;
  /** Keeps everyone else from the table until the transaction ends. Waits for transactions that are using it. */
  readonly lockTable: (db: Kysely<Schema>, table: string) => Promise<void>;
  /** An integer key that the database generates from a counter and never reuses. */
  readonly countedKey: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
  /** A column type that holds milliseconds since the epoch. */
  readonly instant: ColumnDataType;
  /** A column type that holds a wall minute: minutes since 1970, up to the year 9999, which need more than 31 bits. */
  readonly wallMinute: ColumnDataType;
  /**
   * Makes overbooking impossible even under concurrency: among the appointments that occupy their slot, no two of one doctor share a seat
   * at the same time, and no two of one patient overlap in a center.
   */
  readonly guardAppointments: (db: Kysely<Schema>, bounds: GuardBounds) => Promise<void>;
  /**
   * Allows marked appointments to overlap appointments that already exist when they are imported, and makes the database refuse any later
   * overlap.
   */
  readonly guardOverlaps: (db: Kysely<Schema>, bounds: GuardBounds) => Promise<void>;
  /**
   * Creates the view `next_appointment_id`. Its first number is greater than `last`, and it never returns a number that a row has ever had.
   */
  readonly numberAppointments: (db: Kysely<Schema>, last: number) => Promise<void>;
  /** The greatest number that the key of a table has reached so far, 0 if none. It may exceed those of the existing rows. */
  readonly lastCounted: (db: Kysely<Schema>, table: string) => Promise<number>;
  /** Makes the database add 1 to `reference_version.version` whenever a row in one of the tables changes. */
  readonly countChanges: (db: Kysely<Schema>, tables: readonly (keyof Schema)[]) => Promise<void>;
  /** Makes the database refuse to change or delete a row of the table, except for rows that `window` allows to be deleted. */
  readonly makeAppendOnly: (db: Kysely<Schema>, table: string, window?: DeletionWindow) => Promise<void>;
  /** Makes the database refuse a row whose number another row already has, even if the statement would replace that row. */
  readonly refuseReplacing: (db: Kysely<Schema>, table: string) => Promise<void>;
  /** Replaces the text of some of a table's checks with equivalent text that is cheaper for the database to evaluate. */
  readonly cheapenChecks: (
    db: Kysely<Schema>,
    table: string,
    checks: Readonly<Record<string, string>>,
  ) => Promise<void>;
  /** Which guard raised an error, if any did. */
  readonly conflictOf: (error: unknown) => 'seat-taken' | 'patient-overlap' | undefined;
  /** The database was busy or unreachable, so the call may be retried. */
  readonly isUnavailable: (error: unknown) => boolean;
}
