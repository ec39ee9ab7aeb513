import { OUTBOX_KEY } from '../store/store-keys.ts';
import type { OutboxDependencies } from './outbox-settings.ts';

/**
 * Who works on the outbox: of all processes on a database, only the holder of the lease. Then rate, window, circuit breaker and connection
 * apply to the service, not to each process. The others check every second whether the holder is gone. Instants are by the stopwatch.
 */
export class OutboxLease {
  readonly #deps: OutboxDependencies;
  #holder = '';
  /** When it must be renewed, when it may be taken from another process, and when the messages of that one may be. */
  #renewOn = 0;
  #mayTakeOn = 0;
  #takesOverOn = 0;
  /** The end of another process's lease, and when it was first seen. */
  #seen: { readonly endsOn: number | undefined; readonly on: number } = { endsOn: undefined, on: 0 };

  constructor(dependencies: OutboxDependencies) {
    this.#deps = dependencies;
  }

  /** Names this process, which takes over no messages at first: a receipt may still arrive for one that a stopped process had in flight. */
  start(): void {
    const { newId, stopwatch, leaseMs } = this.#deps;
    this.#holder = newId();
    this.#takesOverOn = stopwatch() + leaseMs;
  }

  get untilRenewalMs(): number {
    return this.#renewOn - this.#deps.stopwatch();
  }

  /**
   * For a transaction that begins now: what it says of the lease, of which `stale` is the end if another process's may be ended; whether it
   * renews it, of which `renewed` is told; and whether it takes over messages that another process was sending.
   */
  turn() {
    const { clock, stopwatch, leaseMs } = this.#deps;
    const [now, began] = [clock(), stopwatch()];
    const wish = { holder: this.#holder, now, leasedUntil: now + leaseMs, stale: this.#stale };
    return { wish, began, isRenewing: began >= this.#renewOn, takesOver: began >= this.#takesOverOn };
  }

  /** Whether this process, which does not hold it, could take it. Throws what the store throws. */
  async isFree(): Promise<boolean> {
    const { store, clock, stopwatch } = this.#deps;
    if (stopwatch() < this.#mayTakeOn) return false;
    const endsOn = await store.read(({ outbox }) => outbox.heldUntil({ holder: this.#holder, now: clock() }));
    if (endsOn !== this.#seen.endsOn) this.#seen = { endsOn, on: stopwatch() };
    return endsOn === undefined || this.#stale !== undefined;
  }

  /** By a transaction that began at an instant. */
  renewed(began: number): void {
    this.#renewOn = began + this.#deps.leaseMs / 3;
  }

  /** The process that holds the outbox could not renew its lease either, so give it time to do so. */
  wait(): void {
    this.#mayTakeOn = this.#deps.stopwatch() + this.#deps.leaseMs;
  }

  async release(): Promise<void> {
    await this.#deps.store.write(({ outbox }) => outbox.release({ holder: this.#holder }), [OUTBOX_KEY]);
  }

  /** Another process's lease that was not renewed for as long as it lasts: that process ended while the clock was ahead. */
  get #stale(): number | undefined {
    return this.#deps.stopwatch() - this.#seen.on >= this.#deps.leaseMs ? this.#seen.endsOn : undefined;
  }
}
