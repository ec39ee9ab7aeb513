import { LRUCache } from 'lru-cache';

/** Nearly every caller of one deployment asks by the same address; a Host that differs must not fill the memory. */
const MOST_KEPT = 10;

/** A document that holds the service's address, made once for each of the latest few; all answers share its bytes. */
export const keptByAddress = (make: (address: string) => string): LRUCache<string, Buffer<ArrayBuffer>> =>
  new LRUCache({ max: MOST_KEPT, memoMethod: (address) => Buffer.from(make(address)) });
