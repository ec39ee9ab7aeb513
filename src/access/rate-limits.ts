import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { ServiceError } from '../vocabulary/errors.ts';
import { callerOf } from './caller.ts';
import { ANONYMOUS } from './client.ts';
import { isLoopback, subscriberNetwork } from './ip-address.ts';
import type { OriginOf, RequestOrigin } from './request-origin.ts';

/** Milliseconds over which requests are counted, starting with the first one. */
const WINDOW = 60_000;
/** Maximum number of callers that are counted. To count a new one, the one with the least recent request is dropped. */
const MOST_COUNTED = 20_000;

export interface RateLimitSettings {
  /** Requests per minute of a caller without a rate of its own; 0 means no limit. */
  readonly perMinute: number;
  /** Whether callers on this machine are counted by their address, too. */
  readonly limitsThisMachine: boolean;
}

/** One caller's current minute. */
interface Counted {
  count: number;
  /** On the stopwatch, ms. */
  readonly endsOn: number;
}

interface Allowance {
  readonly caller: string;
  readonly most: number;
}

/**
 * Limits how many requests a caller may make per minute. An identified client is counted under its name, wherever it calls from; any other
 * caller, under the network that it calls from.
 */
export class RateLimits {
  readonly #settings: RateLimitSettings;
  readonly #originOf: OriginOf;
  readonly #stopwatch: () => number;
  readonly #counted = new LRUCache<string, Counted>({
    // `max` would allocate the memory for all callers at once, which is the most expensive step of a start.
    maxSize: MOST_COUNTED,
    sizeCalculation: () => 1,
  });
  /**
   * Cached, because connections send many requests, and parsing an address costs more than counting. '' for callers that are not counted.
   */
  readonly #strangers = new WeakMap<RequestOrigin, string>();

  /** `stopwatch`: monotonic milliseconds. */
  constructor(settings: RateLimitSettings, originOf: OriginOf, stopwatch: () => number) {
    this.#settings = settings;
    this.#originOf = originOf;
    this.#stopwatch = stopwatch;
  }

  /** Counts a request, unless its caller has no limit. Throws ServiceError `TooManyRequests`. */
  take(request: IncomingMessage): undefined {
    const allowance = this.#allowanceOf(request);
    if (allowance === undefined) return;
    const { caller } = allowance;
    this.#requireRest(request, this.#count(caller, 1) - 1, allowance);
  }

  /** The same without counting, for a caller that is counted later, once it is identified. */
  requireRest(request: IncomingMessage): undefined {
    const allowance = this.#allowanceOf(request);
    if (allowance !== undefined) this.#requireRest(request, this.#count(allowance.caller, 0), allowance);
  }

  #allowanceOf(request: IncomingMessage): Allowance | undefined {
    const client = callerOf(request);
    const most = client.ratePerMinute ?? this.#settings.perMinute;
    if (most === 0) return undefined;
    if (client !== ANONYMOUS) return { caller: `client ${client.name}`, most };
    const caller = this.#strangerAt(this.#originOf(request));
    return caller === undefined ? undefined : { caller, most };
  }

  /** The key under which an unidentified caller is counted; undefined if it is not counted. */
  #strangerAt(origin: RequestOrigin): string | undefined {
    let caller = this.#strangers.get(origin);
    if (caller === undefined) {
      const { address } = origin;
      const isFree = !this.#settings.limitsThisMachine && isLoopback(address);
      caller = isFree ? '' : `address ${subscriberNetwork(address)}`;
      this.#strangers.set(origin, caller);
    }
    return caller === '' ? undefined : caller;
  }

  /** Adds requests to a caller's minute, and returns their total. */
  #count(caller: string, count: number): number {
    const now = this.#stopwatch();
    let counted = this.#counted.get(caller);
    if (counted === undefined || counted.endsOn <= now) {
      counted = { count: 0, endsOn: now + WINDOW };
      if (count > 0) this.#counted.set(caller, counted);
    }
    counted.count += count;
    return counted.count;
  }

  #requireRest(request: IncomingMessage, before: number, { caller, most }: Allowance): void {
    if (before < most) return;
    const left = (this.#counted.get(caller)?.endsOn ?? 0) - this.#stopwatch();
    const retryAfter = Math.max(1, Math.ceil(left / 1000));
    throw new ServiceError(
      'TooManyRequests',
      `More than ${most} requests in a minute. Try again in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}.`,
      { reason: 'rate', retryAfter, address: this.#originOf(request).address },
    );
  }
}
