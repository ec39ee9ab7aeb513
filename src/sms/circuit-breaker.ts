/** Failures in a row after which a gateway is left alone. */
const THRESHOLD = 5;
/** Milliseconds before the first probe, and at most between two. */
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 60_000;

/**
 * Leaves a gateway alone that takes nothing: after five failures in a row only one message at a time goes out, as a probe, at intervals
 * that grow from 1 to 60 seconds, each shortened by up to a half at random. The first success closes it again. Instants in ms.
 */
export class CircuitBreaker {
  readonly #random: () => number;
  #failures = 0;
  #probes = 0;
  #probeOn: number | undefined;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** When the next probe may go; undefined while the gateway is used as usual. */
  get probeOn(): number | undefined {
    return this.#probeOn;
  }

  /** True if this has closed it. */
  succeeded(): boolean {
    const wasOpen = this.#probeOn !== undefined;
    this.#failures = 0;
    this.#probes = 0;
    this.#probeOn = undefined;
    return wasOpen;
  }

  /** True if this has opened it. What was on its way already when it opened tells nothing new; a probe does. */
  failed(now: number, wasProbe: boolean): boolean {
    const wasOpen = this.#probeOn !== undefined;
    this.#failures++;
    if (wasOpen ? wasProbe : this.#failures >= THRESHOLD) {
      const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#probes++);
      this.#probeOn = now + wait - Math.floor((this.#random() * wait) / 2);
    }
    return !wasOpen && this.#probeOn !== undefined;
  }

  /** Something tells that the gateway is back: the next probe need not wait. */
  probeSoon(now: number): void {
    if (this.#probeOn !== undefined) this.#probeOn = Math.min(this.#probeOn, now);
  }
}
