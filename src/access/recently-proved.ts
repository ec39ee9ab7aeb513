import { LRUCache } from 'lru-cache';

/**
 * How long a proof remains valid after its last use, in milliseconds: a flood of guesses must not lock out anyone who logged in that day.
 */
const KEPT_FOR = 24 * 3_600_000;
/** Two for each client of the largest clients file. */
const MOST_KEPT = 20_000;

/** Keys of what was proved, or looked up, within a day. A key must not contain a secret. */
export type RecentlyProved = LRUCache<string, true>;

export const recentlyProved = (clock: () => number): RecentlyProved =>
  new LRUCache({ max: MOST_KEPT, ttl: KEPT_FOR, ttlResolution: 0, updateAgeOnHas: true, perf: { now: clock } });
