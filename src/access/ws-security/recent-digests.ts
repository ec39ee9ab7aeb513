/** How long a right digest speaks for the next ones, in milliseconds. */
const KEPT_FOR = 5 * 60_000;
const MOST_KEPT = 1000;

/**
 * Who proved a digest lately, by address and name: guesses of others, wherever they come from, must not slow that client down. Holds
 * no secret; each digest is checked all the same.
 */
export class RecentDigests {
  readonly #clock: () => number;
  /** Until when, ms. */
  readonly #proved = new Map<string, number>();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  has(address: string, name: string): boolean {
    const until = this.#proved.get(`${address} ${name}`);
    return until !== undefined && until > this.#clock();
  }

  add(address: string, name: string): void {
    const key = `${address} ${name}`;
    this.#proved.delete(key);
    if (this.#proved.size >= MOST_KEPT) this.#proved.delete(this.#proved.keys().next().value as string);
    this.#proved.set(key, this.#clock() + KEPT_FOR);
  }
}
