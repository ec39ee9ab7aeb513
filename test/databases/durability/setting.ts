import type { DatabaseLocation } from '../../../src/store/database-location.ts';
import type { PrivatePostgres } from '../../support/database/private-postgres.ts';
import type { PlannedBooking } from './booking-plan.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

/** The environment of a trial: a service on its own database, which exists from the first trial to the last. */
export interface Setting {
  readonly service: ServiceUnderTest;
  readonly database: DatabaseLocation;
  /** The server, if there is one. */
  readonly postgres: PrivatePostgres | undefined;
  /** Bookings of free slots, across all trials. */
  readonly bookings: Iterator<PlannedBooking>;
  /** From 0 to below 1, repeatable with the same seed. */
  readonly random: () => number;
  readonly rounds: number;
  readonly clients: number;
  /** Milliseconds from a start after a kill until the service is ready. */
  readonly longestStart: number;
  /** Reports the progress of a long trial. */
  readonly progress: (text: string) => void;
}
