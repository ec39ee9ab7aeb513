import type { ColumnDataType, ColumnDefinitionBuilder, CreateTableBuilder, Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/** All that a database does in its own way. Everything else in this folder is shared. */
export interface DatabaseDifferences {
  /** Appended to CREATE TABLE: SQLite's tables are STRICT, others always are. */
  readonly endTable: <T extends string, C extends string>(table: CreateTableBuilder<T, C>) => CreateTableBuilder<T, C>;
  /** A whole-number key that the database counts up and never gives twice. */
  readonly countedKey: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
  /** A column type that holds milliseconds since the epoch. */
  readonly instant: ColumnDataType;
  /**
   * Makes overbooking impossible, whatever runs beside: of the appointments that hold their slot (status 1 to 4), no two of
   * one doctor share a seat at one time, and no two of one patient overlap in a center.
   */
  readonly guardAppointments: (db: Kysely<Schema>) => Promise<void>;
  /** Makes the database add 1 to `reference_version.version` with each change of a row in one of the tables. */
  readonly countChanges: (db: Kysely<Schema>, tables: readonly (keyof Schema)[]) => Promise<void>;
  /** Makes the database refuse to change or delete a row of the table. */
  readonly keepRows: (db: Kysely<Schema>, table: keyof Schema) => Promise<void>;
  /** Which guard an error came from, if from one. */
  readonly conflictOf: (error: unknown) => 'seat-taken' | 'patient-overlap' | undefined;
  /** The database was busy or away: the call may be tried again. */
  readonly isUnavailable: (error: unknown) => boolean;
}
