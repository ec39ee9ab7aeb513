import { createHmac } from 'node:crypto';
import { ServiceError } from '../vocabulary/errors.ts';
import type { Machine } from '../vocabulary/machine.ts';
import { recentlyProved } from './login-delays.ts';
import { matchesHash, type SecretHash, writeSecretHash } from './secret-hash.ts';

/** Simultaneous hashes: each takes 32 MB, and a thread that reading files and looking up names also need. */
const MOST_AT_ONCE = 2;
/** Hashes that may wait: each occupies a connection, and the last in the queue would wait for seconds. */
const MOST_WAITING_HASHES = 64;

/** A secret sent by a caller, and the hash that it is checked against. */
export interface ClaimedSecret {
  readonly secret: string;
  /** The client that the caller claims to be. */
  readonly name: string;
  readonly stored: SecretHash;
  /** False if no client has that name: then hashing against `stored` only serves to take the same time, and the answer is no. */
  readonly isReal: boolean;
}

/**
 * Checks secrets against their hashes. Hashing is slow on purpose, so a correct secret is remembered until it has not been sent for a day,
 * as an HMAC with a key that only this process has. This way, a client pays only once. If its hash is replaced, the secret is forgotten.
 */
export class SecretVerifier {
  readonly #processKey: Uint8Array;
  /** By HMAC of hash and secret. */
  readonly #proved: ReturnType<typeof recentlyProved>;
  readonly #running = new Map<string, Promise<boolean>>();
  readonly #queue = new HashingQueue();

  constructor({ processKey, stopwatch }: Pick<Machine, 'processKey' | 'stopwatch'>) {
    this.#processKey = processKey;
    this.#proved = recentlyProved(stopwatch);
  }

  /**
   * Whether a secret matches a hash. `before` runs before it is hashed, to slow down callers that guess; `goesFirst` passes those that
   * do not. Simultaneous calls with the same name and secret share one hashing. Different names that nobody has do not, because otherwise
   * the timing would reveal them to anyone who tries two at once. Throws ServiceError `TooManyRequests` if too many are waiting.
   */
  async verify(claimed: ClaimedSecret, goesFirst: boolean, before: () => Promise<unknown>): Promise<boolean> {
    const key = this.#keyOf(claimed);
    if (this.#proved.has(key)) return true;
    const matches = await this.#running.getOrInsertComputed(key, () =>
      this.#hash(claimed, goesFirst, before).finally(() => this.#running.delete(key)),
    );
    if (matches) this.#proved.set(key, true);
    return matches;
  }

  #keyOf({ secret, name, stored, isReal }: ClaimedSecret): string {
    return createHmac('sha256', this.#processKey)
      .update(JSON.stringify([writeSecretHash(stored), isReal, name, secret]))
      .digest('base64');
  }

  async #hash({ secret, stored, isReal }: ClaimedSecret, goesFirst: boolean, before: () => Promise<unknown>) {
    await before();
    return (await this.#queue.run(goesFirst, () => matchesHash(secret, stored))) && isReal;
  }
}

/** Runs two at once, first those that go first. */
class HashingQueue {
  readonly #first: (() => void)[] = [];
  readonly #others: (() => void)[] = [];
  #running = 0;

  async run<Result>(goesFirst: boolean, work: () => Promise<Result>): Promise<Result> {
    const queue = goesFirst ? this.#first : this.#others;
    if (this.#running < MOST_AT_ONCE) this.#running++;
    else if (queue.length < MOST_WAITING_HASHES) await new Promise<void>((start) => queue.push(start));
    else {
      const message = 'Too many clients are logging in at the moment. Try again in a few seconds.';
      throw new ServiceError('TooManyRequests', message, { reason: 'logins at once' });
    }
    try {
      return await work();
    } finally {
      const next = this.#first.shift() ?? this.#others.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }
}
