import type { Log } from '../log/log.ts';
import type { Clock } from '../operations/dependencies.ts';
import type { Store } from '../store/store.ts';

/** By how many milliseconds a process's clock may differ from the database's: NTP keeps clocks within a few milliseconds of each other. */
export const MOST_CLOCK_DIFFERENCE = 1000;

/** Time between two readings of the database's clock, in milliseconds. */
const INTERVAL = 5000;
/** A reading that took longer than this is too imprecise, in milliseconds. */
const LONGEST_LOOK = 500;
/** Smaller corrections are network noise, in milliseconds. */
const NOISE = 50;

export interface DatabaseClockDependencies {
  /** This process's own clock. */
  readonly clock: Clock;
  /** Monotonic time in milliseconds. */
  readonly stopwatch: () => number;
  readonly log: Log;
}

/** The time according to the database, and what the stopwatch showed then. */
interface Anchor {
  readonly time: number;
  readonly watch: number;
}

/**
 * The time according to the database's clock, which all processes on that database share. Leases, retries and windows that one process
 * writes and another one reads use it, whatever the clocks of their machines show. Between two readings it follows the stopwatch, so that a
 * step of the machine's clock has no effect. If the database has no clock of its own, the process's clock is used.
 */
export class DatabaseClock {
  readonly #deps: DatabaseClockDependencies;
  #anchor: Anchor | undefined;
  #difference = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(dependencies: DatabaseClockDependencies) {
    this.#deps = dependencies;
  }

  /** Milliseconds since the epoch, a whole number. */
  readonly now = (): number => {
    if (this.#anchor === undefined) return this.#deps.clock();
    return Math.round(this.#anchor.time + this.#deps.stopwatch() - this.#anchor.watch);
  };

  /** The process's clock minus the database's at the last reading, in milliseconds. */
  get difference(): number {
    return this.#difference;
  }

  /** Reads the database's clock now and every few seconds. Resolves after the first reading. */
  async follow(store: Store): Promise<void> {
    await this.#look(store);
    // A database without a clock of its own will not acquire one.
    if (this.#anchor === undefined) return;
    this.#timer = setInterval(() => void this.#look(store).catch(() => {}), INTERVAL);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #look(store: Store): Promise<void> {
    const { clock, stopwatch } = this.#deps;
    const began = stopwatch();
    const time = await store.time();
    if (time === undefined) return;
    const ended = stopwatch();
    const took = ended - began;
    if (took > LONGEST_LOOK && this.#anchor !== undefined) return;
    const anchor = { time, watch: began + took / 2 };
    const error =
      this.#anchor === undefined ? Infinity : time - (this.#anchor.time + anchor.watch - this.#anchor.watch);
    if (Math.abs(error) > NOISE + took / 2) this.#anchor = anchor;
    this.#tell(Math.round(clock() - (time + took / 2)));
  }

  #tell(difference: number): void {
    const was = isFarOff(this.#difference);
    const is = isFarOff(difference);
    this.#difference = difference;
    if (was === is) return;
    const { log } = this.#deps;
    if (is) log.warn("this machine's clock differs from the database's, which counts", { milliseconds: difference });
    else log.info("this machine's clock agrees with the database's again", { milliseconds: difference });
  }
}

const isFarOff = (difference: number): boolean => Math.abs(difference) > MOST_CLOCK_DIFFERENCE;
