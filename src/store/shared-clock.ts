import { type RawBuilder, sql } from 'kysely';

/**
 * Whatever one process stores and another one compares with the time (leases, expiry, windows) uses one clock: the server's on PostgreSQL.
 * Statements translate instants between that clock and the process's own, so that the rest of the program knows only the latter. All
 * processes on an SQLite file are on one machine, and have the same clock.
 */
export interface SharedClock {
  /** An instant of the process's clock, which shows `now`, as stored. Both are placeholders of a statement. */
  stored(instant: number | undefined, now: number): RawBuilder<number>;
  /** A stored instant by the process's clock, which shows `now`. */
  own(column: string, now: number): RawBuilder<number>;
}

/** For processes that all have the same clock. */
export const PROCESS_CLOCK: SharedClock = {
  stored: (instant) => sql<number>`${instant}`,
  own: (column) => sql.ref<number>(column),
};
