import type { Store } from '../store/store.ts';

/** Milliseconds since the epoch. Injected, so that a test decides what time it is. */
export type Clock = () => number;

/** The hospital's numbers that rules depend on. Source: the hospital; the defaults are the service's own. */
export interface Policy {
  /** Zone of times that belong to no center, IANA name. */
  readonly timeZone: string;
  /** ISO 3166 region of phone numbers written without a country code. */
  readonly phoneRegion: string;
  /** Book straight to status 2 Booked; otherwise a booking waits in 1 Pending for type 2 Confirm. */
  readonly confirmBookings: boolean;
  /** Minutes that a start may lie in the past: clocks differ, and typing takes time. */
  readonly pastGraceMinutes: number;
  /** Days that a start may lie ahead. */
  readonly horizonDays: number;
  /** Show whole phone numbers in a doctor's day; otherwise all but the last four digits are masked. */
  readonly showContactNumbers: boolean;
}

export const DEFAULT_POLICY: Policy = {
  timeZone: 'Asia/Kolkata',
  phoneRegion: 'IN',
  confirmBookings: true,
  pastGraceMinutes: 5,
  horizonDays: 365,
  showContactNumbers: false,
};

/** What the implementations work with. */
export interface OperationDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly policy: Policy;
}
