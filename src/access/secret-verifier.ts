import { createHmac } from 'node:crypto';
import { ServiceError } from '../vocabulary/errors.ts';
import { matchesHash, type SecretHash, writeSecretHash } from './secret-hash.ts';

/** How long a secret that proved right is taken without hashing it again, in milliseconds. */
const KEPT_FOR = 5 * 60_000;
const MOST_KEPT = 1000;
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
 * Checks secrets against their hashes. Hashing is slow on purpose, so a secret that proved right is remembered for five minutes, by
 * an HMAC under a key that only this process has; a client pays once. A hash that is replaced forgets it.
 */
export class SecretVerifier {
  readonly #processKey: Uint8Array;
  readonly #clock: () => number;
  /** By HMAC of hash and secret: until when it is taken, ms. */
  readonly #proved = new Map<string, number>();
  readonly #running = new Map<string, Promise<boolean>>();
  readonly #waiting: (() => void)[] = [];
  #atOnce = 0;

  /** `processKey`: random bytes, other ones in every process. */
  constructor(processKey: Uint8Array, clock: () => number) {
    this.#processKey = processKey;
    this.#clock = clock;
  }

  /**
   * Whether a secret is the one of a hash. Calls with the same name and secret at the same time share one hashing; names that nobody has
   * share none, or who asks for two at once would be told by the time. Throws ServiceError `TooManyRequests` if too many wait.
   */
  verify({ secret, name, stored, isReal }: ShownSecret, before: BeforeHashing): Promise<boolean> {
    const key = createHmac('sha256', this.#processKey)
      .update(JSON.stringify([writeSecretHash(stored), isReal, name, secret]))
      .digest('base64');
    const until = this.#proved.get(key);
    if (until !== undefined) {
      if (until > this.#clock()) return Promise.resolve(true);
      this.#proved.delete(key);
    }
    let running = this.#running.get(key);
    if (running === undefined) {
      running = this.#hash(secret, stored, isReal, before)
        .then((matches) => {
          if (matches) this.#keep(key);
          return matches;
        })
        .finally(() => this.#running.delete(key));
      this.#running.set(key, running);
    }
    return running;
  }

  async #hash(secret: string, stored: SecretHash, isReal: boolean, before: BeforeHashing): Promise<boolean> {
    await before();
    await this.#turn();
    try {
      return (await matchesHash(secret, stored)) && isReal;
    } finally {
      this.#release();
    }
  }

  async #turn(): Promise<void> {
    if (this.#atOnce < MOST_AT_ONCE) {
      this.#atOnce++;
      return;
    }
    if (this.#waiting.length >= MOST_WAITING) {
      throw new ServiceError('TooManyRequests', 'Too many clients log in at this moment. Try again in a few seconds.', {
        reason: 'log-ins at once',
      });
    }
    await new Promise<void>((resolve) => void this.#waiting.push(resolve));
  }

  /** Hands the turn to whoever has waited for longest, so that nobody comes between. */
  #release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#atOnce--;
    else next();
  }

  #keep(key: string): void {
    if (this.#proved.size >= MOST_KEPT) this.#proved.delete(this.#proved.keys().next().value as string);
    this.#proved.set(key, this.#clock() + KEPT_FOR);
  }
}
