import { LRUCache } from 'lru-cache';
import { ServiceError } from '../vocabulary/errors.ts';
import { quantity } from '../vocabulary/text.ts';
import { ANONYMOUS, callerName, type Incoming } from './client.ts';

/** Requests are counted over this time, starting with the first one. */
const WINDOW_MS = 60_000;
/** Maximum number of callers that are counted. To count a new one, the one with the least recent request is dropped. */
const MOST_COUNTED = 20_000;

export interface RateLimitSettings {
  /** Requests per minute of a caller without a rate of its own; 0 means no limit. */
  readonly perMinute: number;
  /** Whether callers on this machine are counted by their address, too. */
  readonly limitsThisMachine: boolean;
}

/**
 * Counts a request, unless its caller has no limit; with 0, does not count a caller that is counted later, once it is identified. Throws
 * ServiceError `TooManyRequests`.
 */
export type CountRequest = (incoming: Incoming, count?: 0 | 1) => undefined;

/**
 * Limits how many requests a caller may make per minute. An identified client is counted under its name, wherever it calls from; any other
 * caller, under the network that it calls from. `stopwatch`: monotonic milliseconds.
 */
export function limitRates({ perMinute, limitsThisMachine }: RateLimitSettings, stopwatch: () => number): CountRequest {
  /** Each caller's current minute, which ends on the stopwatch, ms. */
  const minutes = new LRUCache<string, { count: number; readonly endsOn: number }>({
    // `max` would allocate the memory for all callers at the start.
    maxSize: MOST_COUNTED,
    sizeCalculation: () => 1,
  });
  return ({ client, origin: { network, isLocal } }, count = 1) => {
    const most = client.ratePerMinute ?? perMinute;
    const isFree = client === ANONYMOUS && !limitsThisMachine && isLocal;
    if (most === 0 || isFree) return undefined;
    const caller = callerName({ client, network });
    const now = stopwatch();
    let minute = minutes.get(caller);
    if (minute === undefined || minute.endsOn <= now) {
      minute = { count: 0, endsOn: now + WINDOW_MS };
      if (count > 0) minutes.set(caller, minute);
    }
    minute.count += count;
    if (minute.count - count < most) return undefined;
    const retryAfter = Math.max(1, Math.ceil((minute.endsOn - now) / 1000));
    const message = `More than ${most} requests in a minute. Try again in ${quantity(retryAfter, 'second')}.`;
    throw new ServiceError('TooManyRequests', message, { reason: 'rate', retryAfter });
  };
}
