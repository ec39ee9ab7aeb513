import { LRUCache } from 'lru-cache';

/** Nearly every caller of one deployment asks by the same address; a Host that differs must not fill the memory. */
const MOST_KEPT = 10;

/** A document that holds the service's address, made once for each of the latest few. */
export const keptByAddress = (make: (address: string) => string): LRUCache<string, string> =>
  new LRUCache({ max: MOST_KEPT, memoMethod: make });
