import { LRUCache } from 'lru-cache';
import { ServiceError } from '../vocabulary/errors.ts';

/** Attempts without a delay, because people make typing mistakes, and may try an old password twice. */
const FREE_ATTEMPTS = 3;
const FIRST_DELAY = 250;
const LONGEST_DELAY = 5000;
/** How long an attempt counts, in milliseconds. */
const FORGOTTEN_AFTER = 15 * 60_000;
/** Maximum number of names and addresses that are counted. To count a new one, the one with the least recent attempt is dropped. */
const MOST_COUNTED = 10_000;
/** Maximum number of attempts that may wait, because each occupies a connection. */
const MOST_WAITING = 200;
/** The same for one address: each attempt eventually costs a hash, and with delays of 5 s, this many cost one hash per second. */
const MOST_WAITING_OF_ONE = 5;

export interface Attempt {
  /** As returned by `subscriberNetwork`. */
  readonly network: string;
  /** Undefined if that network has proved this name: what others try with the name must not lock the network out. */
  readonly name: string | undefined;
  /** Whether the network has proved a secret. If so, it waits separately from those that have not. */
  readonly isProved: boolean;
}

/** Waits for a number of milliseconds. */
export type Pause = (milliseconds: number) => Promise<void>;

/**
 * Slows down callers that guess: each failed attempt makes the next one from the same address, or for the same name, wait twice as long, up
 * to 5 s. Nobody is ever locked out: anyone who knows the secret gets in after the delay, so a stranger cannot keep a client out.
 */
export class LoginDelays {
  readonly #pause: Pause;
  /** By address and by name. */
  readonly #attempts: LRUCache<string, number>;
  readonly #waiting = { proved: 0, unproved: 0 };
  /** By network. An absent entry means that none is waiting. */
  readonly #waitingOf = new Map<string, number>();

  constructor(clock: () => number, pause: Pause) {
    this.#pause = pause;
    this.#attempts = new LRUCache({
      max: MOST_COUNTED,
      ttl: FORGOTTEN_AFTER,
      ttlResolution: 0,
      perf: { now: clock },
    });
  }

  /**
   * Counts an attempt before its outcome is known, so that many at once cannot bypass the delay, and waits for as long as the earlier
   * attempts require. Throws ServiceError `TooManyRequests` if too many are already waiting, in total or from that network.
   */
  async begin(attempt: Attempt): Promise<void> {
    const delay = Math.max(...keysOf(attempt).map((key) => delayAfter(this.#count(key))));
    if (delay === 0) return;
    const { network, isProved } = attempt;
    const lane = isProved ? 'proved' : 'unproved';
    const ofOne = this.#waitingOf.get(network) ?? 0;
    if (this.#waiting[lane] >= MOST_WAITING || ofOne >= MOST_WAITING_OF_ONE) {
      throw new ServiceError('TooManyRequests', 'Too many logins failed. Try again in a few seconds.', {
        reason: 'failed logins',
        retryAfter: LONGEST_DELAY / 1000,
        address: network,
      });
    }
    this.#waiting[lane]++;
    this.#waitingOf.set(network, ofOne + 1);
    try {
      await this.#pause(delay);
    } finally {
      this.#waiting[lane]--;
      const left = (this.#waitingOf.get(network) ?? 1) - 1;
      if (left === 0) this.#waitingOf.delete(network);
      else this.#waitingOf.set(network, left);
    }
  }

  /** Whether the next attempt must wait. */
  isSlowed(attempt: Attempt): boolean {
    return keysOf(attempt).some((key) => delayAfter(this.#attempts.get(key) ?? 0) > 0);
  }

  /** Takes back an attempt that succeeded. Failed attempts before it still count, no matter whose they were. */
  succeeded(attempt: Attempt): void {
    for (const key of keysOf(attempt)) {
      const known = this.#attempts.get(key);
      if (known === undefined) continue;
      if (known <= 1) this.#attempts.delete(key);
      else this.#attempts.set(key, known - 1, { noUpdateTTL: true });
    }
  }

  /** Counts an attempt, and returns the number of attempts before it. */
  #count(key: string): number {
    const before = this.#attempts.get(key) ?? 0;
    this.#attempts.set(key, before + 1);
    return before;
  }
}

const delayAfter = (attempts: number): number =>
  attempts < FREE_ATTEMPTS ? 0 : Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** Math.min(attempts - FREE_ATTEMPTS, 10));

const keysOf = ({ network, name }: Attempt): readonly string[] =>
  name === undefined ? [`a${network}`] : [`a${network}`, `n${name}`];
