import { createHmac } from 'node:crypto';
import { FairTurns, type Waiter } from './fair-turns.ts';
import { type RecentlyProved, recentlyProved } from './recently-proved.ts';
import { matchesHash, type SecretHash, writeSecretHash } from './secret-hash.ts';

/** Hashes at a time: each holds a thread that reading files and looking up names need, too, and 32 MB. */
const MOST_AT_ONCE = 2;
/** Hashes that wait for one of those; each of them is a connection, and whoever comes late would wait for seconds. */
const MOST_WAITING = 64;

/** A secret as a caller shows it, and what it is checked against. */
export interface ShownSecret {
  readonly secret: string;
  /** Whose it is, as the caller says. */
  readonly name: string;
  readonly stored: SecretHash;
  /** False: nobody has that name, and `stored` only takes the time. The answer is no. */
  readonly isReal: boolean;
}

/** Stands for what was done before the hash: slowing down whoever guesses. */
export type BeforeHashing = () => Promise<void>;

/**
 * Checks secrets against their hashes. Hashing is slow on purpose, so a secret that proved right is remembered until it has not been
 * shown for a day, by an HMAC under a key that only this process has; a client pays once. A hash that is replaced forgets it.
 */
export class SecretVerifier {
  readonly #processKey: Uint8Array;
  /** By HMAC of hash and secret. */
  readonly #proved: RecentlyProved;
  readonly #running = new Map<string, Promise<boolean>>();
  readonly #turns = new FairTurns({ mostAtOnce: MOST_AT_ONCE, mostWaiting: MOST_WAITING });

  /** `processKey`: random bytes, other ones in every process. */
  constructor(processKey: Uint8Array, clock: () => number) {
    this.#processKey = processKey;
    this.#proved = recentlyProved(clock);
  }

  /** Whether a secret proved right within the day, so that `verify` has nothing to hash. */
  remembers(shown: ShownSecret): boolean {
    return this.#proved.has(this.#keyOf(shown));
  }

  /**
   * Whether a secret is the one of a hash. Calls with the same name and secret at the same time share one hashing; names that nobody has
   * share none, or who asks for two at once would be told by the time. Throws ServiceError `TooManyRequests` if too many wait.
   */
  verify(shown: ShownSecret, waiter: Waiter, before: BeforeHashing): Promise<boolean> {
    const key = this.#keyOf(shown);
    if (this.#proved.has(key)) return Promise.resolve(true);
    let running = this.#running.get(key);
    if (running === undefined) {
      running = this.#hash(shown, waiter, before)
        .then((matches) => {
          if (matches) this.#proved.set(key, true);
          return matches;
        })
        .finally(() => this.#running.delete(key));
      this.#running.set(key, running);
    }
    return running;
  }

  #keyOf({ secret, name, stored, isReal }: ShownSecret): string {
    return createHmac('sha256', this.#processKey)
      .update(JSON.stringify([writeSecretHash(stored), isReal, name, secret]))
      .digest('base64');
  }

  async #hash({ secret, stored, isReal }: ShownSecret, waiter: Waiter, before: BeforeHashing): Promise<boolean> {
    await before();
    return (await this.#turns.take(waiter, () => matchesHash(secret, stored))) && isReal;
  }
}
