import { SMS_MODES, sendableFrom } from '../rules/sms-mode.ts';
import type { MessageOutcome } from '../store/queries/outbox-outcome.ts';
import type { ClaimedMessage } from '../store/queries/outbox-queries.ts';
import { OUTBOX_KEY } from '../store/store-keys.ts';
import { isUnavailable } from '../vocabulary/errors.ts';
import type { DeliveryReceipt } from '../vocabulary/messages.ts';
import { LONGEST_RETRY_MS, LONGEST_SILENCE_MS, outcomeOfSending, outcomeWithoutSending } from './message-outcome.ts';
import type { OutboxDependencies } from './outbox-settings.ts';
import { ReceiptInbox } from './receipt-inbox.ts';
import { Sender } from './sender.ts';

/** Interval between checks for messages that other processes queued or that have become due. */
const CHECK_MS = 1000;
/** Interval between log lines about a failure that lasts. */
const REPEAT_LOG_MS = 5 * 60_000;
/** How long shutdown waits for messages in flight. */
const END_LIMIT_MS = 4000;

/**
 * Sends what is waiting in the outbox. Of all processes on a database, only the holder of the lease does so: then rate, window, circuit
 * breaker and connection apply to the service, not to each process. The others check every second whether the holder is gone.
 */
export class OutboxWorker {
  readonly #deps: OutboxDependencies;
  readonly #receipts: ReceiptInbox;
  readonly #sender: Sender;
  /** Aborting it ends the current wait, or the next one if there is none. */
  #alarm = new AbortController();
  #holder = '';
  #baseUrl = '';
  /** To be recorded. */
  #outcomes: MessageOutcome[] = [];
  /** When the leases must be renewed, when the outbox may be taken from another process, and when its messages may be. By the stopwatch. */
  #renewOn = 0;
  #turn = 0;
  #mayLeadOn = 0;
  #takesOverOn = 0;
  /** The end of another process's lease, and when it was first seen. */
  #seen: { readonly endsOn: number | undefined; readonly on: number } = { endsOn: undefined, on: 0 };
  #isStopping = false;
  /** When a failure is logged again; undefined while there is none. */
  #logAgainOn: number | undefined;
  #running: Promise<void> | undefined;

  constructor(dependencies: OutboxDependencies) {
    this.#deps = dependencies;
    this.#receipts = new ReceiptInbox(dependencies);
    this.#sender = new Sender(dependencies, (message, sent, wasProbe) => {
      this.#outcomes.push(outcomeOfSending(message, sent, wasProbe, dependencies));
      this.wake();
    });
  }

  /** Where the messages are sent, for the start message. */
  get gateway(): string {
    return this.#deps.gateway.description;
  }

  /** How long the gateway has accepted nothing; 0 while it does, and in a process that does not send. */
  get gatewayFailingMs(): number {
    return this.#sender.failingMs;
  }

  /** `baseUrl` is where status callbacks reach this service, without a trailing slash. */
  start(baseUrl: string): void {
    this.#baseUrl = baseUrl;
    this.#holder = this.#deps.newHolder();
    this.#takesOverOn = this.#deps.stopwatch() + this.#deps.leaseMs;
    this.#running ??= this.#run();
  }

  /** Called when there may be something to do before the next check. */
  wake(): void {
    this.#alarm.abort();
  }

  /**
   * Records what a gateway reports about a message, whichever process sends. Resolves with whether the message is known; an unknown one is
   * looked up again for a minute. Throws ServiceError `Unavailable`.
   */
  receive(receipt: DeliveryReceipt): Promise<boolean> {
    return this.#receipts.receive(receipt);
  }

  /** Takes no more messages, waits at most four seconds for those in flight, and releases the outbox to other processes. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { leaseMs, log, stopwatch } = this.#deps;
    while (!this.#isStopping) {
      let waitMs = CHECK_MS;
      try {
        waitMs = await this.#work();
        if (this.#logAgainOn !== undefined) log.info('outbox works again');
        this.#logAgainOn = undefined;
      } catch (error) {
        const now = stopwatch();
        if (now >= (this.#logAgainOn ?? now)) {
          log.error('outbox failed', { error });
          this.#logAgainOn = now + REPEAT_LOG_MS;
        }
        // The process that holds the outbox could not renew its lease either, so give it time to do so.
        this.#mayLeadOn = now + leaseMs;
      }
      if (!this.#isStopping) await this.#wait(waitMs);
    }
    await this.#end();
  }

  /** Records what has happened, claims the messages to be sent, and sends them. Returns the milliseconds until there may be more to do. */
  async #work(): Promise<number> {
    const { clock, leaseMs } = this.#deps;
    await this.#receipts.retry();
    const { room } = this.#sender;
    // Outcomes are recorded without checking for work first: if the process is killed before that, a message is sent twice.
    if (this.#outcomes.length === 0 && !(await this.#mustWrite(room))) return this.#untilNextMs(room === 0);
    const now = clock();
    const { isLeading, claimed } = await this.#exchange(room);
    await (isLeading ? this.#lead() : this.#stepDown());
    // A process that was suspended here for longer than its lease must not send messages that belong to another process by now.
    const mustRelease = clock() - now >= leaseMs || this.#isStopping;
    for (const message of claimed) this.#sendOrRelease(message, mustRelease);
    return this.#untilNextMs(claimed.length >= room);
  }

  async #mustWrite(room: number): Promise<boolean> {
    const { store, clock, stopwatch } = this.#deps;
    const wish = { holder: this.#holder, now: clock() };
    if (!this.#sender.isOpen) {
      if (stopwatch() < this.#mayLeadOn) return false;
      const endsOn = await store.read(({ outbox }) => outbox.heldUntil(wish));
      if (endsOn !== this.#seen.endsOn) this.#seen = { endsOn, on: stopwatch() };
      return endsOn === undefined || this.#staleLease !== undefined;
    }
    return stopwatch() >= this.#renewOn || (room > 0 && store.read(({ outbox }) => outbox.hasWork(wish.now)));
  }

  /** Another process's lease that was not renewed for as long as it lasts: that process ended while the clock was ahead. */
  get #staleLease(): number | undefined {
    return this.#deps.stopwatch() - this.#seen.on >= this.#deps.leaseMs ? this.#seen.endsOn : undefined;
  }

  /**
   * One transaction: records the outcomes of messages, and claims the next ones. It also takes or renews the lease, so that a process that
   * has lost it claims nothing. Returns whether this process has the outbox, and the messages to be sent.
   */
  async #exchange(room: number): Promise<{ isLeading: boolean; claimed: readonly ClaimedMessage[] }> {
    const { clock, leaseMs, log, stopwatch, store, timeZone } = this.#deps;
    const since = stopwatch();
    const isRenewing = since >= this.#renewOn;
    const renewed = isRenewing ? this.#sender.inFlight : [];
    const outcomes = [...this.#outcomes];
    const now = clock();
    const lease = { holder: this.#holder, now, leasedUntil: now + leaseMs };
    const written = store.write(
      async ({ outbox }) => {
        const lost: number[] = [];
        for (const outcome of outcomes) {
          if (!(await outbox.record(outcome, lease.holder, now))) lost.push(outcome.id);
        }
        const isLeading = await outbox.hold({ ...lease, stale: this.#staleLease });
        if (!isLeading) return { isLeading, lost, expired: [], abandoned: [], claimed: [] };
        for (const id of renewed) await outbox.renew({ ...lease, id });
        if (isRenewing) await outbox.recallSending({ ...lease, latest: now + 1.1 * LONGEST_SILENCE_MS });
        const expired = await outbox.expire(now);
        for (const mode of SMS_MODES.slice(1)) {
          const until = sendableFrom(mode, now, timeZone);
          if (isRenewing) await outbox.recallQueued({ priority: mode.priority, now, latest: until + LONGEST_RETRY_MS });
          if (until > now) await outbox.holdBack({ mode: mode.mode, now, until });
        }
        // Not at first: a receipt may still arrive for a message that a stopped process had in flight.
        const left = since >= this.#takesOverOn ? room : 0;
        const abandoned = left > 0 ? await outbox.claimAbandoned({ ...lease, limit: left }) : [];
        const claimed = [...abandoned];
        if (left > 0) claimed.push(...(await outbox.claimUnanswered({ ...lease, limit: left - claimed.length })));
        claimed.push(...(await outbox.claim({ ...lease, limit: room - claimed.length, turn: this.#turn++ })));
        return { isLeading, lost, expired, abandoned, claimed };
      },
      [OUTBOX_KEY],
    );
    const { lost, expired, abandoned, ...batch } = await written.catch(async (error) => {
      if (!isUnavailable(error)) await this.#recordEach(outcomes);
      throw error;
    });
    // Outcomes that were added in the meantime stay. If the write failed, all of them stay.
    this.#outcomes = this.#outcomes.slice(outcomes.length);
    if (isRenewing) this.#renewOn = since + leaseMs / 3;
    for (const messageId of lost) log.info('message settled by a receipt or another process', { messageId });
    for (const messageId of expired) log.warn('message expired', { messageId });
    for (const { id, attempts } of abandoned) log.warn('message taken over', { messageId: id, attempt: attempts });
    return batch;
  }

  /** For outcomes that cannot be stored together: one that the database refuses must not hold up the others. */
  async #recordEach(outcomes: readonly MessageOutcome[]): Promise<void> {
    const { clock, log, store } = this.#deps;
    const record = (outcome: MessageOutcome) =>
      store.write(({ outbox }) => outbox.record(outcome, this.#holder, clock()), [OUTBOX_KEY]);
    for (const outcome of outcomes) {
      try {
        // What the gateway wrote is not worth a message that is sent twice.
        const bare = { ...outcome, ...('code' in outcome ? { code: null } : { reference: undefined }) };
        await record(outcome).catch(() => record(bare));
      } catch (error) {
        if (isUnavailable(error)) return;
        log.error('outcome of a message cannot be stored', { messageId: outcome.id, error });
      }
      this.#outcomes = this.#outcomes.filter((other) => other !== outcome);
    }
  }

  async #lead(): Promise<void> {
    if (this.#sender.isOpen) return;
    const onReceipt = async (receipt: DeliveryReceipt) => void (await this.#receipts.receive(receipt));
    this.#sender.open(this.#baseUrl, onReceipt, () => this.wake());
    this.#deps.log.info('this process sends the messages', { gateway: this.gateway });
    this.wake();
  }

  async #stepDown(): Promise<void> {
    if (!this.#sender.isOpen) return;
    this.#deps.log.warn('another process sends the messages', { gateway: this.gateway });
    await this.#sender.close();
  }

  #sendOrRelease(message: ClaimedMessage, mustRelease: boolean): void {
    const { id, dueOn } = message;
    const released = { kind: 'queued', id, dueOn, usesAttempt: false, code: null } as const;
    const outcome =
      outcomeWithoutSending(message, this.#deps.clock(), this.#deps) ?? (mustRelease ? released : undefined);
    if (outcome === undefined) void this.#sender.send(message);
    else this.#outcomes.push(outcome);
  }

  /** `isFull`: there was no room for more, so there may be more to send. */
  #untilNextMs(isFull: boolean): number {
    if (this.#outcomes.length > 0) return 0;
    if (!this.#sender.isOpen) return CHECK_MS;
    const untilRoomMs = isFull ? this.#sender.untilRoomMs : CHECK_MS;
    return Math.max(0, Math.min(CHECK_MS, this.#renewOn - this.#deps.stopwatch(), untilRoomMs));
  }

  /** Resolves after that many milliseconds, or when the worker is woken. */
  async #wait(milliseconds: number): Promise<void> {
    if (milliseconds > 0) await this.#deps.sleep(milliseconds, this.#alarm.signal).catch(() => {});
    this.#alarm = new AbortController();
  }

  async #end(): Promise<void> {
    const { clock, leaseMs, log, stopwatch, store } = this.#deps;
    const until = stopwatch() + END_LIMIT_MS;
    for (let leftMs = END_LIMIT_MS; this.#sender.inFlight.length > 0 && leftMs > 0; leftMs = until - stopwatch()) {
      await this.#wait(Math.min(leftMs, leaseMs / 3));
      // Anything that can't be written now is written with the rest.
      await this.#recordOutcomes().catch(() => {});
    }
    for (const id of this.#sender.giveUp()) {
      log.warn('message sent, no answer received', { messageId: id, code: 'stopped' });
      this.#outcomes.push({ kind: 'unanswered', id, until: clock() + leaseMs, code: 'stopped' });
    }
    try {
      // Whatever happens to the database, the connection to the gateway must be closed.
      await this.#recordOutcomes().finally(() => this.#sender.close());
      await store.write(({ outbox }) => outbox.release({ holder: this.#holder }), [OUTBOX_KEY]);
    } catch (error) {
      // Another process takes over when the leases expire.
      log.error('outbox not closed cleanly', { error });
    }
  }

  async #recordOutcomes(): Promise<void> {
    if (this.#sender.isOpen || this.#outcomes.length > 0) await this.#exchange(0);
  }
}
