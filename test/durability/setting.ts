import type { DatabaseLocation } from '../../src/store/open-store.ts';
import type { PrivatePostgres } from '../support/database/private-postgres.ts';
import type { PlannedBooking } from './booking-plan.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

/** Where a trial takes place: a service on a database of its own that is there from the first trial to the last. */
export interface Setting {
  readonly service: ServiceUnderTest;
  readonly database: DatabaseLocation;
  /** The server, if the database is one. */
  readonly postgres: PrivatePostgres | undefined;
  /** Bookings to free slots, across all trials. */
  readonly bookings: Iterator<PlannedBooking>;
  /** From 0 to below 1, the same for the same seed. */
  readonly random: () => number;
  readonly rounds: number;
  readonly clients: number;
  /** Milliseconds from a start after a kill until the service is ready. */
  readonly longestStart: number;
  /** Says how far a long trial is. */
  readonly progress: (text: string) => void;
}
