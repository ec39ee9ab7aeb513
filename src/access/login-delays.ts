import { LRUCache } from 'lru-cache';
import { ServiceError } from '../vocabulary/errors.ts';
import type { Machine } from '../vocabulary/machine.ts';

/** Attempts without a delay, because people make typing mistakes, and may try an old password twice. */
const FREE_ATTEMPTS = 3;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 5000;
const FORGOTTEN_AFTER_MS = 15 * 60_000;
/** Maximum number of names and addresses that are counted. To count a new one, the one with the least recent attempt is dropped. */
const MOST_COUNTED = 10_000;
/** Maximum number of attempts that may wait, because each occupies a connection. */
const MOST_WAITING_ATTEMPTS = 200;
/** Of these, for one network or for a name that it has proved: with delays of 5 s, this many make one guess, or hash, per second. */
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

/**
 * Slows down callers that guess: each failed attempt makes the next one from the same network, or for the same name, wait twice as long, up
 * to 5 s. No name is ever locked: whoever knows the secret gets in after the delay, or with a later try while too many wait. A name that a
 * network has proved within a day is delayed there only by that network's own attempts with it, which delay nothing else and wait in places
 * of their own. Networks are those that `subscriberNetwork` returns.
 */
export class LoginDelays {
  readonly #pause: Machine['pause'];
  /** By network and by name, or by the pair of them if it is proved. */
  readonly #attempts: LRUCache<string, number>;
  /** Networks, and pairs of a network and a name, that have proved a secret. */
  readonly #proved: LRUCache<string, true>;
  /** The first key of each attempt that is waiting; those of networks that have proved nothing leave room for the others. */
  readonly #waiting: { readonly proved: string[]; readonly others: string[] } = { proved: [], others: [] };

  constructor({ stopwatch, pause }: Pick<Machine, 'stopwatch' | 'pause'>) {
    this.#pause = pause;
    const perf = { now: stopwatch };
    this.#attempts = new LRUCache({ max: MOST_COUNTED, ttl: FORGOTTEN_AFTER_MS, ttlResolution: 0, perf });
    this.#proved = recentlyProved(stopwatch);
  }

  /**
   * Counts an attempt before its outcome is known, so that many at once cannot bypass the delay, and waits for as long as the earlier
   * attempts require. Throws ServiceError `TooManyRequests` if too many are already waiting, in total or of its own. The function that it
   * returns takes the attempt back because it succeeded; failed attempts before it still count, no matter whose they were.
   */
  async begin(network: string, name: string): Promise<() => void> {
    const { keys, delay, waiting } = this.#next(network, name);
    for (const key of keys) this.#add(key, 1);
    if (delay > 0) {
      waiting.push(keys[0]);
      await this.#pause(delay).finally(() => waiting.splice(waiting.indexOf(keys[0]), 1));
    }
    return () => {
      for (const key of keys) this.#add(key, -1);
    };
  }

  /**
   * Whether a secret is right that costs nothing to check, such as a digest: it is checked at once, and only a wrong one counts, and waits
   * before it is answered. A right one is never delayed, yet guessing is as slow as with `begin`: nothing is checked while too many wrong
   * ones wait, and they wait even if their callers do not. Throws like `begin`.
   */
  async check(network: string, name: string, isRight: () => boolean): Promise<boolean> {
    this.#next(network, name);
    if (isRight()) return true;
    await this.begin(network, name);
    return false;
  }

  isProved(network: string): boolean {
    return this.#proved.has(network);
  }

  /** The network has proved that it knows the secret of this name. */
  rememberProof(network: string, name: string): void {
    this.#proved.set(network, true).set(`${network} ${name}`, true);
  }

  /** What the next attempt counts for, how long it must wait, ms, and beside which others. Throws if there is no room. */
  #next(network: string, name: string) {
    const pair = `${network} ${name}`;
    const keys = this.#proved.has(pair) ? ([`p${pair}`] as const) : ([`a${network}`, `n${name}`] as const);
    const delay = Math.max(...keys.map((key) => delayAfter(this.#attempts.get(key) ?? 0)));
    const waiting = this.#waiting[this.isProved(network) ? 'proved' : 'others'];
    const ofOne = waiting.filter((other) => other === keys[0]).length;
    if (delay > 0 && (waiting.length >= MOST_WAITING_ATTEMPTS || ofOne >= MOST_WAITING_OF_ONE)) {
      throw new ServiceError('TooManyRequests', 'Too many logins failed. Try again in a few seconds.', {
        reason: 'failed logins',
        retryAfter: LONGEST_DELAY_MS / 1000,
      });
    }
    return { keys, delay, waiting };
  }

  /** Taking an attempt back does not make the others count longer. */
  #add(key: string, change: 1 | -1): void {
    const count = (this.#attempts.get(key) ?? 0) + change;
    if (count > 0) this.#attempts.set(key, count, { noUpdateTTL: change < 0 });
    else this.#attempts.delete(key);
  }
}

const delayAfter = (attempts: number): number =>
  attempts < FREE_ATTEMPTS ? 0 : Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempts - FREE_ATTEMPTS));
