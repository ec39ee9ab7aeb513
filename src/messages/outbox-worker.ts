import type { MessageFate } from '../store/queries/outbox-fate.ts';
import type { ClaimedMessage } from '../store/queries/outbox-queries.ts';
import type { Queries } from '../store/store.ts';
import { OUTBOX_KEY } from '../store/store-keys.ts';
import { isUnavailable } from '../vocabulary/errors.ts';
import type { DeliveryReceipt } from '../vocabulary/messages.ts';
import { fateOfSending, fateWithoutSending, LONGEST_RETRY_MS, LONGEST_SILENCE_MS } from './message-fate.ts';
import { OutboxLease, type SenderWish } from './outbox-lease.ts';
import type { OutboxDependencies } from './outbox-settings.ts';
import { ReceiptInbox } from './receipt-inbox.ts';
import { Sender } from './sender.ts';
import { SMS_MODES, sendableFrom } from './sms-mode.ts';

/** Interval between checks for messages that other processes queued or that have become due. */
const CHECK_MS = 1000;
/** Interval between log lines about a failure that lasts. */
const REPEAT_LOG_MS = 5 * 60_000;
/** How long shutdown waits for messages in flight. */
const END_LIMIT_MS = 4000;

/** Without the default, which is one of them. */
const MODES = SMS_MODES.slice(1);

type Outbox = Queries['outbox'];

/** Sends what is waiting in the outbox while this process holds its lease. */
export class OutboxWorker {
  readonly #deps: OutboxDependencies;
  readonly #lease: OutboxLease;
  /** Takes what gateways report about messages, whichever process sends. */
  readonly receipts: ReceiptInbox;
  readonly #sender: Sender;
  /** Aborting it ends the current wait, or the next one if there is none. */
  #alarm = new AbortController();
  #baseUrl = '';
  /** To be recorded. */
  #fates: MessageFate[] = [];
  #claims = 0;
  #isStopping = false;
  /** When a failure is logged again; undefined while there is none. By the stopwatch. */
  #logAgainOn: number | undefined;
  #running: Promise<void> | undefined;

  constructor(dependencies: OutboxDependencies) {
    this.#deps = dependencies;
    this.#lease = new OutboxLease(dependencies);
    this.receipts = new ReceiptInbox(dependencies);
    this.#sender = new Sender(dependencies, (message, sent, wasProbe) => {
      this.#fates.push(fateOfSending(message, sent, wasProbe, dependencies));
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
    this.#lease.start();
    this.#running ??= this.#run();
  }

  /** Called when there may be something to do before the next check. */
  wake(): void {
    this.#alarm.abort();
  }

  /** Takes no more messages, waits at most four seconds for those in flight, and releases the outbox to other processes. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { log, stopwatch } = this.#deps;
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
        this.#lease.failed();
      }
      if (!this.#isStopping) await this.#wait(waitMs);
    }
    await this.#end();
  }

  /** Records what has happened, claims the messages to be sent, and sends them. Returns the milliseconds until there may be more to do. */
  async #work(): Promise<number> {
    await this.receipts.retry();
    const { room } = this.#sender;
    // Fates are recorded without checking for work first: if the process is killed before that, a message is sent twice.
    if (this.#fates.length === 0 && !(await this.#mustWrite(room))) return this.#untilNextMs(room === 0);
    const { isSender, claimed } = await this.#sendDue(room);
    await (isSender ? this.#lead() : this.#stepDown());
    for (const message of claimed) this.#sendOrRelease(message);
    return this.#untilNextMs(claimed.length >= room);
  }

  async #mustWrite(room: number): Promise<boolean> {
    if (!this.#sender.isOpen) return this.#lease.isFree();
    if (this.#lease.mustRenew) return true;
    const { store, clock } = this.#deps;
    return room > 0 && store.read(({ outbox }) => outbox.hasWork(clock()));
  }

  /**
   * One transaction: records the fates of messages, and claims the next ones. It also takes or renews the lease, so that a process that
   * has lost it claims nothing. Returns whether this process has the outbox, and the messages to be sent.
   */
  async #sendDue(room: number): Promise<{ isSender: boolean; claimed: readonly ClaimedMessage[] }> {
    const { log, store } = this.#deps;
    const fates = [...this.#fates];
    const { mustRenew } = this.#lease;
    const wish = this.#lease.wish(this.#sender.inFlight);
    const { holder, now } = wish;
    const written = store.write(
      async ({ outbox }) => {
        const lost: number[] = [];
        for (const fate of fates) {
          if (!(await outbox.record(fate, holder, now))) lost.push(fate.id);
        }
        const takenOver = await this.#lease.becomeSender(outbox, wish);
        if (takenOver === undefined) return { isSender: false, lost, expired: [], takenOver: [], claimed: [] };
        if (mustRenew) await this.#recall(outbox, wish);
        const expired = await outbox.expire(now);
        await this.#holdBack(outbox, now);
        return { isSender: true, lost, expired, takenOver, claimed: await this.#claim(outbox, wish, room) };
      },
      [OUTBOX_KEY],
    );
    const { lost, expired, takenOver, ...batch } = await written.catch(async (error) => {
      if (!isUnavailable(error)) await this.#recordEach(fates, holder);
      throw error;
    });
    // Fates that were added in the meantime stay. If the write failed, all of them stay.
    this.#fates = this.#fates.slice(fates.length);
    this.#lease.committed(wish, batch.isSender);
    for (const messageId of lost) log.info('message settled by a receipt or another process', { messageId });
    for (const messageId of expired) log.warn('message expired', { messageId });
    for (const { id, attempts } of takenOver) log.warn('message taken over', { messageId: id, attempt: attempts });
    return batch;
  }

  /** If the clock was set back, what would be due too late becomes due. */
  async #recall(outbox: Outbox, wish: SenderWish): Promise<void> {
    const { now } = wish;
    await outbox.recallSending({ ...wish, latest: now + 1.1 * LONGEST_SILENCE_MS });
    for (const mode of MODES) {
      const latest = sendableFrom(mode, now, this.#deps.timeZone) + LONGEST_RETRY_MS;
      await outbox.recallQueued({ priority: mode.priority, now, latest });
    }
  }

  async #holdBack(outbox: Outbox, now: number): Promise<void> {
    for (const mode of MODES) {
      const until = sendableFrom(mode, now, this.#deps.timeZone);
      if (until > now) await outbox.holdBack({ mode: mode.mode, now, until });
    }
  }

  /** Messages to be sent, at most `room`: first those that were not answered. */
  async #claim(outbox: Outbox, wish: SenderWish, room: number): Promise<readonly ClaimedMessage[]> {
    const unanswered =
      room > 0 && this.#lease.hasListened ? await outbox.claimUnanswered({ ...wish, limit: room }) : [];
    const limit = room - unanswered.length;
    return [...unanswered, ...(await outbox.claim({ ...wish, limit, turn: this.#claims++ }))];
  }

  /** For fates that cannot be stored together: one that the database refuses must not hold up the others. */
  async #recordEach(fates: readonly MessageFate[], holder: string): Promise<void> {
    const { clock, log, store } = this.#deps;
    const record = (fate: MessageFate) =>
      store.write(({ outbox }) => outbox.record(fate, holder, clock()), [OUTBOX_KEY]);
    for (const fate of fates) {
      try {
        // What the gateway wrote is not worth a message that is sent twice.
        const bare = { ...fate, ...('code' in fate ? { code: null } : { reference: undefined }) };
        await record(fate).catch(() => record(bare));
      } catch (error) {
        if (isUnavailable(error)) return;
        log.error('fate of a message cannot be stored', { messageId: fate.id, error });
      }
      this.#fates = this.#fates.filter((other) => other !== fate);
    }
  }

  async #lead(): Promise<void> {
    if (this.#sender.isOpen) return;
    const onReceipt = async (receipt: DeliveryReceipt) => void (await this.receipts.receive(receipt));
    const maySubmit = () => this.#lease.isHeld;
    this.#sender.open({ baseUrl: this.#baseUrl, onReceipt, maySubmit }, () => this.wake());
    this.#deps.log.info('this process sends the messages', { gateway: this.gateway });
    this.wake();
  }

  async #stepDown(): Promise<void> {
    if (!this.#sender.isOpen) return;
    this.#deps.log.warn('another process sends the messages', { gateway: this.gateway });
    this.#sender.giveUp();
    await this.#sender.close();
  }

  /** A process that was suspended since its claim for longer than its lease must not send what belongs to another one by now. */
  #sendOrRelease(message: ClaimedMessage): void {
    const mustRelease = !this.#lease.isHeld || this.#isStopping;
    const { id, dueOn } = message;
    const released = { kind: 'queued', id, dueOn, usesAttempt: false, code: null } as const;
    const fate = fateWithoutSending(message, this.#deps.clock(), this.#deps) ?? (mustRelease ? released : undefined);
    if (fate === undefined) void this.#sender.send(message);
    else this.#fates.push(fate);
  }

  /** `isFull`: there was no room for more, so there may be more to send. */
  #untilNextMs(isFull: boolean): number {
    if (this.#fates.length > 0) return 0;
    if (!this.#sender.isOpen) return CHECK_MS;
    const untilRoomMs = isFull ? this.#sender.untilRoomMs : CHECK_MS;
    return Math.max(0, Math.min(CHECK_MS, this.#lease.untilRenewalMs, untilRoomMs));
  }

  /** Resolves after that many milliseconds, or when the worker is woken. */
  async #wait(milliseconds: number): Promise<void> {
    if (milliseconds > 0) await this.#deps.pause(milliseconds, this.#alarm.signal).catch(() => {});
    this.#alarm = new AbortController();
  }

  async #end(): Promise<void> {
    const { clock, leaseMs, log, stopwatch } = this.#deps;
    const until = stopwatch() + END_LIMIT_MS;
    for (let leftMs = END_LIMIT_MS; this.#sender.inFlight.length > 0 && leftMs > 0; leftMs = until - stopwatch()) {
      await this.#wait(Math.min(leftMs, leaseMs / 3));
      // Anything that can't be written now is written with the rest.
      await this.#recordFates().catch(() => {});
    }
    for (const id of this.#sender.giveUp()) {
      log.warn('message sent, no answer received', { messageId: id, code: 'stopped' });
      this.#fates.push({ kind: 'unanswered', id, until: clock() + leaseMs, code: 'stopped' });
    }
    try {
      // Whatever happens to the database, the connection to the gateway must be closed.
      await this.#recordFates().finally(() => this.#sender.close());
      await this.#lease.release();
    } catch (error) {
      // Another process takes over when the leases expire.
      log.error('outbox not closed cleanly', { error });
    }
  }

  async #recordFates(): Promise<void> {
    if (this.#sender.isOpen || this.#fates.length > 0) await this.#sendDue(0);
  }
}
