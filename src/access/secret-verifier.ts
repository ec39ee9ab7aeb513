import { createHmac } from 'node:crypto';
import { FairTurns, type Waiter } from './fair-turns.ts';
import { type RecentlyProved, recentlyProved } from './recently-proved.ts';
import { matchesHash, type SecretHash, writeSecretHash } from './secret-hash.ts';

/** Simultaneous hashes: each takes 32 MB, and a thread that reading files and looking up names also need. */
const MOST_AT_ONCE = 2;
/** Hashes that may wait for their turn: each occupies a connection, and the last in the queue would wait for seconds. */
const MOST_WAITING = 64;

/** A secret sent by a caller, and the hash that it is checked against. */
export interface ShownSecret {
  readonly secret: string;
  /** The client that the caller claims to be. */
  readonly name: string;
  readonly stored: SecretHash;
  /** False if no client has that name: then hashing against `stored` only serves to take the same time, and the answer is no. */
  readonly isReal: boolean;
}

/** Runs before the hashing, to slow down callers that guess. */
export type BeforeHashing = () => Promise<void>;

/**
 * Checks secrets against their hashes. Hashing is slow on purpose, so a correct secret is remembered until it has not been sent for a day,
 * as an HMAC with a key that only this process has. This way, a client pays only once. If its hash is replaced, the secret is forgotten.
 */
export class SecretVerifier {
  readonly #processKey: Uint8Array;
  /** By HMAC of hash and secret. */
  readonly #proved: RecentlyProved;
  readonly #running = new Map<string, Promise<boolean>>();
  readonly #turns = new FairTurns({ mostAtOnce: MOST_AT_ONCE, mostWaiting: MOST_WAITING });

  /** `processKey`: random bytes, different in every process. */
  constructor(processKey: Uint8Array, clock: () => number) {
    this.#processKey = processKey;
    this.#proved = recentlyProved(clock);
  }

  /** Whether a secret was proved within the last day, so that `verify` need not hash it. */
  remembers(shown: ShownSecret): boolean {
    return this.#proved.has(this.#keyOf(shown));
  }

  /**
   * Whether a secret matches a hash. Simultaneous calls with the same name and secret share one hashing. Different names that nobody has do
   * not, because otherwise the timing would reveal them to anyone who tries two at once. Throws ServiceError `TooManyRequests` if too many
   * are waiting.
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
