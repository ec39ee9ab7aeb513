import type { ColumnDataType, ColumnDefinitionBuilder, CreateTableBuilder, Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/**
 * Rows that may be deleted all the same: those older than an instant that the deleting transaction has put into `service_mark`.
 * It takes the mark away before it ends, so that nobody else ever finds one.
 */
export interface DeletionWindow {
  /** The column that holds a row's instant, ms. */
  readonly age: string;
  /** Name of the mark; its value is an instant in ms, in digits. */
  readonly mark: string;
}

/** What a migration builds into the guards; a step never changes its numbers. */
export interface GuardBounds {
  /** Appointments of this status or a lower one hold their slot. */
  readonly lastHoldingStatus: number;
  /** Minutes. */
  readonly longestSlot: number;
}

/** All that a database does in its own way. Everything else in this folder is shared. */
export interface DatabaseDifferences {
  /** Appended to CREATE TABLE: SQLite's tables are STRICT, others always are. */
  readonly endTable: <T extends string, C extends string>(table: CreateTableBuilder<T, C>) => CreateTableBuilder<T, C>;
  /** A whole-number key that the database counts up and never gives twice. */
  readonly countedKey: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
  /** A column type that holds milliseconds since the epoch. */
  readonly instant: ColumnDataType;
  /** A column type that holds a wall minute: minutes since 1970 up to the year 9999, which are more than 31 bits take. */
  readonly wallMinute: ColumnDataType;
  /**
   * Makes overbooking impossible, whatever runs beside: of the appointments that hold their slot, no two of one doctor share a seat
   * at one time, and no two of one patient overlap in a center.
   */
  readonly guardAppointments: (db: Kysely<Schema>, bounds: GuardBounds) => Promise<void>;
  /** Lets marked appointments overlap others as they are when they come in, and makes the database refuse all that would overlap later. */
  readonly guardOverlaps: (db: Kysely<Schema>, bounds: GuardBounds) => Promise<void>;
  /** Makes the view `next_appointment_id`. The first number is above `last`, and no number that a row ever had is given. */
  readonly numberAppointments: (db: Kysely<Schema>, last: number) => Promise<void>;
  /** The greatest number that the key of a table counted so far, 0 if none: it may be above those that are there. */
  readonly lastCounted: (db: Kysely<Schema>, table: string) => Promise<number>;
  /** Makes the database add 1 to `reference_version.version` with each change of a row in one of the tables. */
  readonly countChanges: (db: Kysely<Schema>, tables: readonly (keyof Schema)[]) => Promise<void>;
  /** Makes the database refuse to change or delete a row of the table, but for rows that `window` lets be deleted. */
  readonly makeAppendOnly: (db: Kysely<Schema>, table: string, window?: DeletionWindow) => Promise<void>;
  /** Makes the database refuse a row with a number that another one has, also where a statement would replace that one. */
  readonly refuseReplacing: (db: Kysely<Schema>, table: string) => Promise<void>;
  /**
   * Writes checks of a table that say the same in another way, where that is cheaper for the database: the text of a check, and the text for
   * its place.
   */
  readonly cheapenChecks: (
    db: Kysely<Schema>,
    table: string,
    checks: Readonly<Record<string, string>>,
  ) => Promise<void>;
  /** Which guard an error came from, if from one. */
  readonly conflictOf: (error: unknown) => 'seat-taken' | 'patient-overlap' | undefined;
  /** The database was busy or away: the call may be tried again. */
  readonly isUnavailable: (error: unknown) => boolean;
}
