import type { LeaseWish } from '../store/queries/outbox-queries.ts';
import type { Queries } from '../store/store.ts';
import { OUTBOX_KEY } from '../store/store-keys.ts';
import type { OutboxDependencies } from './outbox-settings.ts';

/** What a transaction asks for that begins at the instant `began`, by the stopwatch. `stale` is the end of a lease that it may end. */
export interface SenderWish extends LeaseWish {
  readonly began: number;
  /** Of the lease. */
  readonly end: { readonly stopwatch: number; readonly machineClock: number };
  readonly stale: number | undefined;
  /** Of the messages whose fates this process waits for. */
  readonly inFlight: readonly number[];
}

/**
 * Who sends: of all processes on a database, only the holder of the lease on the outbox. Then rate, window, circuit breaker and connection
 * apply to the service, not to each process. The others check every second whether the holder is gone. Instants are by the stopwatch.
 */
export class OutboxLease {
  readonly #deps: OutboxDependencies;
  #holder = '';
  /** When it must be renewed, when it may be taken from another process, and when this one has listened for receipts for long enough. */
  #renewOn = 0;
  #mayTakeOn = 0;
  #listenedOn = 0;
  /** When another process may take it. By this machine's clock, too: the stopwatch stands still while the machine is suspended. */
  #end = { stopwatch: 0, machineClock: 0 };
  /** Whether messages may be marked as being sent that this process does not know of. */
  #mustTakeOver = true;
  /** The end of another process's lease, and when it was first seen. */
  #seen: { readonly endsOn: number | undefined; readonly on: number } = { endsOn: undefined, on: 0 };

  constructor(dependencies: OutboxDependencies) {
    this.#deps = dependencies;
  }

  /** Names this process, which sends no message of another one at first: a receipt may still arrive for one that a stopped process had in flight. */
  start(): void {
    const { newId, stopwatch, leaseMs } = this.#deps;
    this.#holder = newId();
    this.#listenedOn = stopwatch() + leaseMs;
  }

  get untilRenewalMs(): number {
    return this.#renewOn - this.#deps.stopwatch();
  }

  /** False as soon as another process may send. */
  get isHeld(): boolean {
    const { machineClock, stopwatch } = this.#deps;
    return stopwatch() < this.#end.stopwatch && machineClock() < this.#end.machineClock;
  }

  get mustRenew(): boolean {
    return this.untilRenewalMs <= 0;
  }

  /** Whether receipts have had time to arrive for messages that were not answered. */
  get hasListened(): boolean {
    return this.#deps.stopwatch() >= this.#listenedOn;
  }

  /** For a transaction that begins now. */
  wish(inFlight: readonly number[]): SenderWish {
    const { clock, machineClock, stopwatch, leaseMs } = this.#deps;
    const now = clock();
    const began = stopwatch();
    const end = { stopwatch: began + leaseMs, machineClock: machineClock() + leaseMs };
    const [holder, stale] = [this.#holder, this.#stale];
    return { holder, now, leasedUntil: now + leaseMs, began, end, stale, inFlight };
  }

  /**
   * Part of a transaction, which may run more than once: takes or renews the lease. What is marked as being sent by a process that has lost
   * it, or by a commit that this one never learned of, counts as unanswered. Returns those messages, or undefined if another process sends.
   */
  async becomeSender(outbox: Queries['outbox'], { inFlight, ...wish }: SenderWish) {
    if (!(await outbox.hold(wish))) return undefined;
    if (!this.#mustTakeOver) return [];
    const { now, holder } = wish;
    const left = await outbox.sending({});
    const takenOver = left.filter(({ id, sender }) => sender !== holder || !inFlight.includes(id));
    for (const { id, sender } of takenOver) await outbox.takeOver({ id, sender, now });
    return takenOver;
  }

  /** Whether this process, which does not hold it, could take it. Throws what the store throws. */
  async isFree(): Promise<boolean> {
    const { store, clock, stopwatch } = this.#deps;
    if (stopwatch() < this.#mayTakeOn) return false;
    const endsOn = await store.read(({ outbox }) => outbox.heldUntil({ holder: this.#holder, now: clock() }));
    if (endsOn !== this.#seen.endsOn) this.#seen = { endsOn, on: stopwatch() };
    return endsOn === undefined || this.#stale !== undefined;
  }

  /** The transaction was committed. */
  committed({ began, end }: SenderWish, isSender: boolean): void {
    const { leaseMs } = this.#deps;
    this.#mustTakeOver = !isSender;
    this.#end = isSender ? end : { stopwatch: 0, machineClock: 0 };
    if (began >= this.#renewOn) this.#renewOn = began + leaseMs / 3;
  }

  /** It may have been committed. The process that holds the outbox could not renew its lease either, so give it time to do so. */
  failed(): void {
    this.#mustTakeOver = true;
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
