/** Its ids are counted across all centers: by a sequence in PostgreSQL, by a table of one row in SQLite, both with the same name. */
export const APPOINTMENTS = 'appointment';
export const APPOINTMENT_NUMBER = 'appointment_number';

/** How a database accepts rows that bring their own values for the numbers that it otherwise generates. */
export interface Numbers {
  /** The text that an INSERT has before VALUES. */
  readonly overriding: string;
  /** Makes a table's number `id` continue after one that was inserted; a number that is already beyond it stays. */
  goOnAfter(table: string, last: number): Promise<void>;
}
