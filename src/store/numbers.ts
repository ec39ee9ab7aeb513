import type { RawBuilder } from 'kysely';

/**
 * Appointment ids are counted across all centers: by a sequence in PostgreSQL, and by a one-row table in SQLite. Both have the same name.
 */
export const APPOINTMENTS = 'appointment';
export const APPOINTMENT_NUMBER = 'appointment_number';

/** How a database numbers rows, and accepts rows that bring their own values for numbers that it otherwise generates. */
export interface Numbers {
  /** The next AppointmentID: greater than all that were ever assigned or imported. */
  readonly nextAppointmentId: RawBuilder<number>;
  /** The SQL text before VALUES in an INSERT. */
  readonly overriding: string;
  /** Makes a table's number `id` continue after one that was inserted, unless it is already beyond it. */
  goOnAfter(table: string, last: number): Promise<void>;
}
