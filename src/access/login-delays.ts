import { LRUCache } from 'lru-cache';
import { ServiceError } from '../vocabulary/errors.ts';

/** Attempts without a delay, because people make typing mistakes, and may try an old password twice. */
const FREE_ATTEMPTS = 3;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 5000;
/** How long an attempt counts. */
const FORGOTTEN_AFTER_MS = 15 * 60_000;
/** Maximum number of names and addresses that are counted. To count a new one, the one with the least recent attempt is dropped. */
const MOST_COUNTED = 10_000;
/** Maximum number of attempts that may wait, because each occupies a connection. */
const MOST_WAITING = 200;
/** The same for one network: each attempt eventually costs a hash, and with delays of 5 s, this many cost one hash per second. */
const MOST_WAITING_OF_ONE = 5;

/** How long a proof remains valid after its last use: a flood of guesses must not lock out anyone who logged in that day. */
const PROVED_FOR_MS = 24 * 3_600_000;
/** Two for each client of the largest clients file. */
const MOST_PROVED = 20_000;

/** Keys of what was proved, or looked up, within a day. A key must not contain a secret. */
export const recentlyProved = (stopwatch: () => number): LRUCache<string, true> =>
  new LRUCache({
    max: MOST_PROVED,
    ttl: PROVED_FOR_MS,
    ttlResolution: 0,
    updateAgeOnHas: true,
    perf: { now: stopwatch },
  });

/** Waits for a number of milliseconds. */
export type Pause = (milliseconds: number) => Promise<void>;

/**
 * Slows down callers that guess: each failed attempt makes the next one from the same network, or for the same name, wait twice as long, up
 * to 5 s. Nobody is ever locked out: anyone who knows the secret gets in after the delay, so a stranger cannot keep a client out. A network
 * that has proved a name within a day is delayed only by its own attempts with that name, and waits apart from those that have proved
 * nothing. Networks are those that `subscriberNetwork` returns.
 */
export class LoginDelays {
  readonly #pause: Pause;
  /** By network and by name. */
  readonly #attempts: LRUCache<string, number>;
  /** Networks, and pairs of a network and a name, that have proved a secret. */
  readonly #proved: LRUCache<string, true>;
  /** The networks of the attempts that are waiting. */
  readonly #waiting: { readonly proved: string[]; readonly others: string[] } = { proved: [], others: [] };

  constructor(stopwatch: () => number, pause: Pause) {
    this.#pause = pause;
    this.#attempts = new LRUCache({
      max: MOST_COUNTED,
      ttl: FORGOTTEN_AFTER_MS,
      ttlResolution: 0,
      perf: { now: stopwatch },
    });
    this.#proved = recentlyProved(stopwatch);
  }

  /**
   * Counts an attempt before its outcome is known, so that many at once cannot bypass the delay, and waits for as long as the earlier
   * attempts require. Throws ServiceError `TooManyRequests` if too many are already waiting, in total or from that network. The function
   * that it returns takes the attempt back because it succeeded; failed attempts before it still count, no matter whose they were.
   */
  async begin(network: string, name: string): Promise<() => void> {
    const keys = this.#keysOf(network, name);
    const delay = Math.max(...keys.map((key) => delayAfter(this.#add(key, 1))));
    if (delay > 0) await this.#wait(network, delay);
    return () => {
      for (const key of keys) this.#add(key, -1);
    };
  }

  /** Whether the next attempt must wait. */
  isSlowed(network: string, name: string): boolean {
    return this.#keysOf(network, name).some((key) => delayAfter(this.#attempts.get(key) ?? 0) > 0);
  }

  isProved(network: string): boolean {
    return this.#proved.has(network);
  }

  /** The network has proved that it knows the secret of this name. */
  rememberProof(network: string, name: string): void {
    this.#proved.set(network, true).set(`${network} ${name}`, true);
  }

  #keysOf(network: string, name: string): readonly string[] {
    return this.#proved.has(`${network} ${name}`) ? [`a${network}`] : [`a${network}`, `n${name}`];
  }

  /** Returns the number of attempts before. Taking one back does not make the others count longer. */
  #add(key: string, change: 1 | -1): number {
    const before = this.#attempts.get(key) ?? 0;
    if (before + change > 0) this.#attempts.set(key, before + change, { noUpdateTTL: change < 0 });
    else this.#attempts.delete(key);
    return before;
  }

  async #wait(network: string, delay: number): Promise<void> {
    const waiting = this.#waiting[this.isProved(network) ? 'proved' : 'others'];
    const ofOne = waiting.filter((other) => other === network).length;
    if (waiting.length >= MOST_WAITING || ofOne >= MOST_WAITING_OF_ONE) {
      throw new ServiceError('TooManyRequests', 'Too many logins failed. Try again in a few seconds.', {
        reason: 'failed logins',
        retryAfter: LONGEST_DELAY_MS / 1000,
      });
    }
    waiting.push(network);
    await this.#pause(delay).finally(() => waiting.splice(waiting.indexOf(network), 1));
  }
}

const delayAfter = (attempts: number): number =>
  attempts < FREE_ATTEMPTS
    ? 0
    : Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempts - FREE_ATTEMPTS, 10));
