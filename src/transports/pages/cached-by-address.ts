import { LRUCache } from 'lru-cache';

/** Nearly all callers of a deployment use the same address. Varying Host headers must not fill the memory. */
const MOST_KEPT = 10;

/** A document that contains the service's address, created once for each of the last few addresses. All answers share its bytes. */
export const keptByAddress = (make: (address: string) => string): LRUCache<string, Buffer<ArrayBuffer>> =>
  new LRUCache({ max: MOST_KEPT, memoMethod: (address) => Buffer.from(make(address)) });
