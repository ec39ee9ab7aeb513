import type { Kysely, RawBuilder } from 'kysely';
import { INTEGER_BOUNDS, type Schema } from './schema.ts';

/** Where a statement runs: a connection or a transaction, with the statements compiled for its database so far. */
export interface Session {
  /** Builds and compiles queries. Frequent queries bypass it and go straight to the driver. */
  readonly db: Kysely<Schema>;
  readonly compiled: Map<unknown, CompiledStatement>;
  readonly numbers: Numbers;
  /** In words, the rights in the database that the service lacks; undefined if there is none. */
  missingRights(): Promise<string | undefined>;
  /** In this transaction, PostgreSQL may plan by the values of statements, which must be nobody's data: a log of plans would show them. */
  planByValues(): Promise<void>;
  vitals(): Promise<Vitals>;
  /** Runs SQL text that `db` compiled; resolves with its rows, or an empty list for a statement that returns none. */
  run(sql: string, parameters: readonly unknown[]): Promise<unknown[]>;
  /** Runs a query in the same way. Resolves with its first row, or undefined if there is none. */
  first(sql: string, parameters: readonly unknown[]): Promise<unknown>;
  /** Runs an INSERT, UPDATE or DELETE in the same way. Resolves with the number of rows that it inserted, changed or deleted. */
  change(sql: string, parameters: readonly unknown[]): Promise<number>;
}

/** What a database says about itself, where it applies. */
export interface Vitals {
  /** Percent of the file that SQLite uses again before the file grows. */
  readonly freePages?: number;
  /** The tables whose next number is one that a row has, or had: numbers stand beside the tables, and some copies of a database leave them out. */
  readonly behind: readonly string[];
  /** The tables that have used up more than half of their numbers. */
  readonly usedUp: readonly string[];
}

/** A greater number is in the second half of those that callers can read. */
export const HALF_OF_NUMBERS = Math.floor(INTEGER_BOUNDS.greatest / 2);

export interface CompiledStatement {
  readonly sql: string;
  /** One element per SQL parameter: the placeholder of a value, or a constant of the query. */
  readonly parameters: readonly unknown[];
  /** The placeholders' positions. */
  readonly positions: readonly number[];
}

/**
 * Appointment ids are counted across all centers: by a sequence in PostgreSQL, and by a one-row table in SQLite. Both have the same name.
 */
export const APPOINTMENTS = 'appointment';
export const APPOINTMENT_NUMBER = 'appointment_number';

/** The greatest AppointmentID. An index on the ids begins with the center. */
export const GREATEST_APPOINTMENT =
  '(SELECT max((SELECT max(id) FROM appointment WHERE center_id = center.id)) FROM center)';

/** The greatest number that the audit trail has of a row, which may be deleted. A caller may ask for any; only a success says that it was given. */
export const greatestAudited = (column: string): string =>
  `(SELECT ${column} FROM audit_event WHERE ${column} IS NOT NULL AND outcome = 0 ORDER BY ${column} DESC LIMIT 1)`;

/** The columns of the audit trail that name a row, by its table. */
export const AUDITED_TABLES = { [APPOINTMENTS]: 'appointment_id', feedback: 'feedback_id', message: 'message_id' };

/** How a database numbers rows, and accepts rows that bring their own values for numbers that it otherwise generates. */
export interface Numbers {
  /** The next AppointmentID: greater than all that were ever assigned or imported. */
  readonly nextAppointmentId: RawBuilder<number>;
  /** The SQL text before VALUES in an INSERT. */
  readonly overriding: string;
  /** Makes a table's number `id` continue after one that was inserted, unless it is already beyond it. */
  goOnAfter(table: string, last: number): Promise<void>;
  /**
   * Replaces the plans of a table's statements. PostgreSQL plans a statement once per connection; what was planned when the table was empty reads
   * all of it by the time it has a million rows. It does so only for the table's owner.
   */
  replan(table: string): Promise<void>;
}
