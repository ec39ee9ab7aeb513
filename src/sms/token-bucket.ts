/** Lets a given number of events per second pass, with bursts of a tenth of a second's worth. Instants in ms are passed in. */
export class TokenBucket {
  readonly #rate: number;
  readonly #most: number;
  #tokens: number;
  #filledOn: number | undefined;

  /** Events per second. */
  constructor(rate: number) {
    this.#rate = rate;
    this.#most = Math.max(1, rate / 10);
    this.#tokens = this.#most;
  }

  /** Number of events that may pass now. */
  available(now: number): number {
    this.#fill(now);
    return Math.floor(this.#tokens);
  }

  take(now: number): void {
    this.#fill(now);
    this.#tokens--;
  }

  /** Milliseconds until the next event may pass. */
  wait(now: number): number {
    this.#fill(now);
    return this.#tokens >= 1 ? 0 : Math.ceil(((1 - this.#tokens) * 1000) / this.#rate);
  }

  #fill(now: number): void {
    const passed = Math.max(0, now - (this.#filledOn ?? now));
    this.#tokens = Math.min(this.#most, this.#tokens + (passed * this.#rate) / 1000);
    this.#filledOn = now;
  }
}
