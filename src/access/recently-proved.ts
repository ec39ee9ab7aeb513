import { LRUCache } from 'lru-cache';

/** How long a right proof speaks for the next ones after its last use, in milliseconds: a flood must not keep away who was here that day. */
const KEPT_FOR = 24 * 3_600_000;
/** Two for each client of the largest clients file. */
const MOST_KEPT = 20_000;

/** Keys of what proved right, or was asked for, within a day. None of them may hold a secret. */
export type RecentlyProved = LRUCache<string, true>;

export const recentlyProved = (clock: () => number): RecentlyProved =>
  new LRUCache({ max: MOST_KEPT, ttl: KEPT_FOR, ttlResolution: 0, updateAgeOnHas: true, perf: { now: clock } });
