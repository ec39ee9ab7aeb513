import { LRUCache } from 'lru-cache';

/** How long a right proof speaks for the next ones, in milliseconds. */
const KEPT_FOR = 5 * 60_000;
const MOST_KEPT = 1000;

/** Keys of what proved right within the last five minutes, the latest thousand. None of them may hold a secret. */
export type RecentlyProved = LRUCache<string, true>;

export const recentlyProved = (clock: () => number): RecentlyProved =>
  new LRUCache({ max: MOST_KEPT, ttl: KEPT_FOR, ttlResolution: 0, perf: { now: clock } });
