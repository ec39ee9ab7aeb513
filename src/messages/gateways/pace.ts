/** SMS centers count by the second. */
const PAUSE_MS = 1000;
const LONGEST_INTERVAL_MS = 2000;
/** How much a submission may be early: a timer is not more exact than a millisecond. */
const EARLY_MS = 10;
/** What is left of the interval after a submission that was accepted: of a doubled one, half after 14. */
const RECOVERY = 0.95;

/** Spaces the submissions to an SMS center evenly, and further apart for a while after it said that they come too fast. */
export class Pace {
  readonly #stopwatch: () => number;
  readonly #shortestMs: number;
  #intervalMs: number;
  #freeOn = 0;
  #slowedUntil = 0;

  constructor(perSecond: number, stopwatch: () => number) {
    this.#stopwatch = stopwatch;
    this.#shortestMs = 1000 / perSecond;
    this.#intervalMs = this.#shortestMs;
  }

  /** Milliseconds until the next submission may be sent; whoever calls this sends it then. */
  take(): number {
    const now = this.#stopwatch();
    const turn = Math.max(now, this.#freeOn);
    this.#freeOn = turn + this.#intervalMs;
    return turn - now < EARLY_MS ? 0 : turn - now;
  }

  accepted(): void {
    this.#intervalMs = Math.max(this.#shortestMs, this.#intervalMs * RECOVERY);
  }

  /** The SMS center says that submissions come too fast. What it says of those that are under way already counts once. */
  throttled(): void {
    const now = this.#stopwatch();
    if (now < this.#slowedUntil) return;
    this.#intervalMs = Math.min(LONGEST_INTERVAL_MS, 2 * this.#intervalMs);
    this.#slowedUntil = now + PAUSE_MS;
    this.#freeOn = this.#slowedUntil;
  }
}
