import type { IncomingMessage } from 'node:http';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { ServiceError } from '../vocabulary/errors.ts';
import { callerOf } from './caller.ts';
import { ANONYMOUS } from './client.ts';
import type { OriginOf } from './request-origin.ts';
import { subscriberNetwork } from './subscriber-network.ts';

/** Seconds in which requests are counted, from the first one on. */
const WINDOW = 60;
/** Callers that are counted; the one that was quiet for longest makes room. */
const MOST_COUNTED = 20_000;
const THIS_MACHINE = /^(?:127\.|::1$)/;

export interface RateLimitSettings {
  /** Requests a minute of a caller who has no rate of its own; 0 for any number. */
  readonly ratePerMinute: number;
  /** Whether callers of this machine are counted by their address, too. */
  readonly limitsThisMachine: boolean;
}

/** How many requests of a caller, by what it is counted under. */
export type RequestCounts = readonly (readonly [caller: string, count: number])[];

interface Allowance {
  readonly caller: string;
  readonly most: number;
}

/**
 * How many requests a caller may make in a minute: a client that is known under its name, wherever it calls from, else the network that
 * it calls from. Each process counts for itself, and hears from time to time what the others have counted.
 */
export class RateLimits {
  readonly #settings: RateLimitSettings;
  readonly #originOf: OriginOf;
  // Its own limit is of no use here, where each caller has one.
  readonly #counters = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: WINDOW });
  /** In the order in which they were last heard of. */
  readonly #counted = new Set<string>();
  /** Counted here, and not told to the other processes so far. */
  #untold: Map<string, number> | undefined;

  constructor(settings: RateLimitSettings, originOf: OriginOf) {
    this.#settings = settings;
    this.#originOf = originOf;
  }

  /** Counts a request; undefined if its caller may make any number. Rejects with ServiceError `TooManyRequests`. */
  take(request: IncomingMessage): Promise<void> | undefined {
    const allowance = this.#allowanceOf(request);
    if (allowance === undefined) return undefined;
    if (this.#untold !== undefined) add(this.#untold, allowance.caller, 1);
    return this.#count(allowance.caller, 1).then((counted) =>
      requireRest(counted, counted.consumedPoints - 1, allowance),
    );
  }

  /** The same without counting: for whoever is counted later, when it is known who that is. */
  async requireRest(request: IncomingMessage): Promise<void> {
    const allowance = this.#allowanceOf(request);
    if (allowance === undefined) return;
    const counted = await this.#counters.get(allowance.caller);
    if (counted !== null) requireRest(counted, counted.consumedPoints, allowance);
  }

  /** What this process has counted since it was last asked; from the first asking on. */
  takeCounts(): RequestCounts {
    const counts = [...(this.#untold ?? [])];
    this.#untold = new Map();
    return counts;
  }

  /** Adds what another process has counted. */
  addCounts(counts: RequestCounts): void {
    for (const [caller, count] of counts) void this.#count(caller, count);
  }

  #allowanceOf(request: IncomingMessage): Allowance | undefined {
    const client = callerOf(request);
    const most = client.ratePerMinute ?? this.#settings.ratePerMinute;
    if (most === 0) return undefined;
    if (client !== ANONYMOUS) return { caller: `client ${client.name}`, most };
    const { address } = this.#originOf(request);
    if (!this.#settings.limitsThisMachine && THIS_MACHINE.test(address)) return undefined;
    return { caller: `address ${subscriberNetwork(address)}`, most };
  }

  #count(caller: string, count: number): Promise<RateLimiterRes> {
    this.#counted.delete(caller);
    this.#counted.add(caller);
    if (this.#counted.size > MOST_COUNTED) {
      const quietest = this.#counted.values().next().value as string;
      this.#counted.delete(quietest);
      this.#untold?.delete(quietest);
      void this.#counters.delete(quietest);
    }
    return this.#counters.penalty(caller, count);
  }
}

function requireRest({ msBeforeNext }: RateLimiterRes, before: number, { most }: Allowance): void {
  if (before < most) return;
  const retryAfter = Math.max(1, Math.ceil(msBeforeNext / 1000));
  throw new ServiceError(
    'TooManyRequests',
    `More than ${most} requests in a minute. Try again in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}.`,
    { reason: 'rate', retryAfter },
  );
}

const add = (counts: Map<string, number>, key: string, count: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + count);
};
