/** Its ids are counted for all centers together: by a sequence in PostgreSQL, by a table of one row in SQLite, both of one name. */
export const APPOINTMENTS = 'appointment';
export const APPOINTMENT_NUMBER = 'appointment_number';

/** How a database takes rows that bring the numbers that it counts by itself. */
export interface Numbers {
  /** What an INSERT says before VALUES. */
  readonly overriding: string;
  /** Lets the number `id` of a table go on after one that came in; a number that is ahead of it stays. */
  goOnAfter(table: string, last: number): Promise<void>;
}
