import { LRUCache } from 'lru-cache';

/** Nearly all callers of a deployment use the same address. Varying Host headers must not fill the memory. */
const MOST_CACHED = 10;

/** A document that contains the service's address, created once for each of the last few addresses. All answers share its bytes. */
export const cachedByAddress = (make: (address: string) => string): LRUCache<string, Buffer<ArrayBuffer>> =>
  new LRUCache({ max: MOST_CACHED, memoMethod: (address) => Buffer.from(make(address)) });
