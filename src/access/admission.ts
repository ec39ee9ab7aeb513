import type { IncomingMessage } from 'node:http';
import type { Access } from './access.ts';
import { callerOf } from './caller.ts';
import { ANONYMOUS } from './client.ts';
import type { RateLimits } from './rate-limits.ts';

/** Finds out who calls and counts the request, before anything of a body is read. */
export class Admission {
  readonly #access: Access | undefined;
  readonly #rates: RateLimits | undefined;

  /** Without `access` anybody may call; without `rates`, as often as they like. */
  constructor(access: Access | undefined, rates: RateLimits | undefined) {
    this.#access = access;
    this.#rates = rates;
  }

  /** undefined: let in at once. Rejects with ServiceError `Unauthorized` or `TooManyRequests`. */
  admit(request: IncomingMessage): Promise<void> | undefined {
    if (this.#access === undefined) return this.#rates?.take(request);
    return this.#told(request, this.#access.require(request)).then(() => this.#rates?.take(request));
  }

  /** Counts a request that anybody may make; as `admit` otherwise. */
  count(request: IncomingMessage): Promise<void> | undefined {
    return this.#rates?.take(request);
  }

  /**
   * The same as `admit`, where the message may still tell who calls. True if the request has; if not, it is counted by `settle`, and let in to be
   * read as long as its address has some left.
   */
  async admitUnlessToken(request: IncomingMessage, access: Access): Promise<boolean> {
    const isKnown = await this.#told(request, access.requireUnlessToken(request));
    await (isKnown ? this.#rates?.take(request) : this.#rates?.requireRest(request));
    return isKnown;
  }

  /** Counts a request, when its message has told or failed to tell who calls, under whomever it was not counted before. */
  async settle(request: IncomingMessage, tell: () => Promise<void>): Promise<void> {
    const before = callerOf(request);
    if (before === ANONYMOUS) await this.#told(request, tell());
    else await tell();
    if (callerOf(request) !== before) await this.#rates?.take(request);
  }

  /** A stranger is counted by the address alone, so that no client pays for one. */
  async #told<Told>(request: IncomingMessage, told: Promise<Told>): Promise<Told> {
    try {
      return await told;
    } catch (error) {
      await this.#rates?.take(request);
      throw error;
    }
  }
}
