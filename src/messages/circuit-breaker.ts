/** The number of consecutive failures that opens the breaker. */
const THRESHOLD = 5;
/** Fewer than open the breaker: a night's only message takes an hour for four attempts that are not answered. */
const ENOUGH_TO_REPORT = 3;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

/**
 * Stops using a gateway that accepts nothing: after five consecutive failures, only one message at a time is sent, as a probe, at intervals
 * that grow from 1 to 60 seconds, each shortened at random by up to half. The first success closes the breaker. Instants in ms are passed
 * in.
 */
export class CircuitBreaker {
  readonly #random: () => number;
  #failures = 0;
  #probes = 0;
  #probeOn: number | undefined;
  #failingSince: number | undefined;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** When the next probe may be sent; undefined while the gateway is used normally. */
  get probeOn(): number | undefined {
    return this.#probeOn;
  }

  /** The first of the failures since the last success, if there were enough that another message would probably fail as well. */
  get failingSince(): number | undefined {
    return this.#failures < ENOUGH_TO_REPORT ? undefined : this.#failingSince;
  }

  /** True if this call closed the breaker. */
  succeeded(): boolean {
    const wasOpen = this.#probeOn !== undefined;
    this.#failingSince = undefined;
    this.#failures = 0;
    this.#probes = 0;
    this.#probeOn = undefined;
    return wasOpen;
  }

  /**
   * True if this call opened the breaker. The failure of a message that was already in flight when it opened adds no information, whereas
   * that of a probe does.
   */
  failed(now: number, wasProbe: boolean): boolean {
    const wasOpen = this.#probeOn !== undefined;
    this.#failures++;
    this.#failingSince ??= now;
    if (wasOpen ? wasProbe : this.#failures >= THRESHOLD) {
      const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#probes++);
      this.#probeOn = now + waitMs - Math.floor((this.#random() * waitMs) / 2);
    }
    return !wasOpen && this.#probeOn !== undefined;
  }

  /** Something indicates that the gateway is back, so the next probe need not wait. */
  probeSoon(now: number): void {
    if (this.#probeOn !== undefined) this.#probeOn = Math.min(this.#probeOn, now);
  }
}
