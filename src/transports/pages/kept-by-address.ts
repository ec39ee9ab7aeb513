import { LRUCache } from 'lru-cache';

/** Nearly every caller of one deployment uses the same address; varying Host headers must not fill the memory. */
const MOST_KEPT = 10;

/** A document that contains the service's address, made once for each of the most recent few addresses; all answers share its bytes. */
export const keptByAddress = (make: (address: string) => string): LRUCache<string, Buffer<ArrayBuffer>> =>
  new LRUCache({ max: MOST_KEPT, memoMethod: (address) => Buffer.from(make(address)) });
