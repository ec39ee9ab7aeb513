import type { OutboxMark } from '../store/queries/outbox-mark.ts';
import type { ClaimedMessage } from '../store/queries/outbox-queries.ts';
import { OUTBOX_KEY } from '../store/store-keys.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { FairShare } from './fair-share.ts';
import { type DeliveryReceipt, type Gateway, harmlessCode } from './gateway.ts';
import { type JudgeDependencies, judgeOutcome, markInsteadOfSending, tryAgain } from './judge-outcome.ts';
import { LeaseTimes } from './lease-times.ts';
import type { OutboxDependencies } from './outbox-dependencies.ts';
import { outgoingMessage } from './outgoing-message.ts';
import { ReceiptInbox } from './receipt-inbox.ts';
import { reportTurn } from './report-turn.ts';
import { PRIORITIES, takeTurn } from './take-turn.ts';
import { TokenBucket } from './token-bucket.ts';

/** Interval between checks for messages that other processes queued or that have become due, in milliseconds. */
const LOOK = 1000;
/** How long shutdown waits for messages in flight, in milliseconds. */
const END_LIMIT = 4000;

/**
 * Sends what is waiting in the outbox. Of all processes on a database, only the holder of the lease does so: then rate, window, circuit
 * breaker and connection apply to the service, not to each process. The others check every second whether the holder is gone.
 */
export class OutboxWorker {
  readonly #deps: OutboxDependencies;
  readonly #judge: JudgeDependencies;
  readonly #receipts: ReceiptInbox;
  readonly #bucket: TokenBucket;
  readonly #breaker: CircuitBreaker;
  readonly #share = new FairShare();
  readonly #leaseTimes: LeaseTimes;
  readonly #onItsWay = new Map<number, ClaimedMessage>();
  #gateway: Gateway | undefined;
  /** Aborting it ends the wait between two turns, or the next wait if there is none now. */
  #alarm = new AbortController();
  #holder = '';
  #baseUrl = '';
  #marks: OutboxMark[] = [];
  #stopping = false;
  #troubled = false;
  #running: Promise<void> | undefined;

  constructor(dependencies: OutboxDependencies) {
    this.#deps = dependencies;
    this.#judge = { ...dependencies, gateway: dependencies.gateway.description };
    this.#receipts = new ReceiptInbox(dependencies);
    this.#bucket = new TokenBucket(dependencies.rate);
    this.#breaker = new CircuitBreaker(dependencies.random);
    this.#leaseTimes = new LeaseTimes(dependencies.lease, LOOK);
  }

  /** Where the messages are sent, for the start message. */
  get gateway(): string {
    return this.#deps.gateway.description;
  }

  /** `baseUrl` is where status callbacks reach this service, without a trailing slash. */
  start(baseUrl: string): void {
    this.#baseUrl = baseUrl;
    this.#holder = this.#deps.newHolder();
    this.#leaseTimes.begin(this.#deps.clock());
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
    this.#stopping = true;
    this.wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      const wait = await this.#turn().then(
        (milliseconds) => {
          if (this.#troubled) this.#deps.log.info('outbox works again');
          this.#troubled = false;
          return milliseconds;
        },
        (error: unknown) => {
          if (!this.#troubled) this.#deps.log.error('outbox failed', { error });
          this.#troubled = true;
          // The process that holds the outbox could not renew its lease either, so give it time to do so.
          this.#leaseTimes.bePatient(this.#deps.clock());
          return LOOK;
        },
      );
      if (!this.#stopping) await this.#wait(wait);
    }
    await this.#end();
  }

  /** Records what has happened, claims the messages to be sent, and sends them. Returns the milliseconds until there may be more to do. */
  async #turn(): Promise<number> {
    const { store, clock, lease, timeZone } = this.#deps;
    const holder = this.#holder;
    await this.#receipts.retry();
    const now = clock();
    if (this.#leaseTimes.notice(now)) this.#breaker.probeSoon(now);
    const room = this.#room(now);
    // Results are recorded without checking for work first: if the process is killed before that, a message is sent twice.
    if (this.#marks.length === 0 && !(await this.#mustWrite(now, room))) return this.#untilNext(now, room === 0);

    const marks = [...this.#marks];
    const isRenewing = this.#leaseTimes.mustRenew(now);
    const renewed = isRenewing ? [...this.#onItsWay.keys()] : [];
    const takesOver = this.#leaseTimes.mayTakeMessages(now);
    const { favoured } = this.#share;
    const plan = { now, holder, lease, timeZone, marks, renewed, checksClock: isRenewing, room, takesOver, favoured };
    const turn = await store.write((queries) => takeTurn(queries, plan), [OUTBOX_KEY]);
    // Marks that were added in the meantime stay. If the write failed, all of them stay.
    this.#marks = this.#marks.slice(marks.length);
    reportTurn(turn, this.#deps.log);
    await (turn.leading ? this.#lead() : this.#stepDown());
    if (isRenewing) this.#leaseTimes.renewed(now);
    for (const message of turn.unanswered) this.#marks.push(tryAgain(message, now, this.#judge));
    this.#share.took(turn.claimed.length);
    const taken = [...turn.takenOver, ...turn.claimed];
    // A process that was suspended here for longer than its lease must not send messages that belong to another process by now.
    const isLate = clock() - now >= lease;
    for (const message of taken) this.#sendOrMark(message, now, isLate);
    return this.#untilNext(now, taken.length >= room);
  }

  /** Whether there is anything to write. */
  async #mustWrite(now: number, room: number): Promise<boolean> {
    const { store, lease } = this.#deps;
    const wish = { holder: this.#holder, now, leasedUntil: now + lease };
    if (this.#gateway === undefined) {
      return this.#leaseTimes.mayTakeOutbox(now) && store.read(({ outbox }) => outbox.isFree(wish));
    }
    return (
      this.#leaseTimes.mustRenew(now) || (room > 0 && store.read(({ outbox }) => outbox.hasWork(wish, PRIORITIES)))
    );
  }

  /** Number of messages that may be claimed now. */
  #room(now: number): number {
    if (this.#gateway === undefined) return 0;
    const { probeOn } = this.#breaker;
    if (probeOn !== undefined) return now >= probeOn && this.#onItsWay.size === 0 ? 1 : 0;
    return Math.max(0, Math.min(this.#deps.window - this.#onItsWay.size, this.#bucket.available(now)));
  }

  async #lead(): Promise<void> {
    if (this.#gateway !== undefined) return;
    const { gateway, log, clock, random } = this.#deps;
    this.#gateway = gateway.open({
      onReceipt: (receipt) => this.#receipts.receiveOnce(receipt),
      clock,
      random,
      baseUrl: this.#baseUrl,
      report: (event, code) => {
        log.info(`gateway ${event}`, { gateway: gateway.description, ...(code === undefined ? {} : { code }) });
        if (event !== 'connected') return;
        this.#breaker.probeSoon(clock());
        this.wake();
      },
    });
    log.info('this process sends the messages', { gateway: gateway.description });
    this.wake();
  }

  async #stepDown(): Promise<void> {
    if (this.#gateway === undefined) return;
    const gateway = this.#gateway;
    this.#gateway = undefined;
    this.#deps.log.warn('another process sends the messages', { gateway: this.gateway });
    await gateway.close();
  }

  #sendOrMark(message: ClaimedMessage, now: number, isLate: boolean): void {
    const mark = markInsteadOfSending(message, now, isLate || this.#stopping, this.#deps);
    if (mark === undefined) void this.#send(message, now);
    else this.#marks.push(mark);
  }

  async #send(message: ClaimedMessage, now: number): Promise<void> {
    const { clock, log, gateway } = this.#deps;
    const wasProbe = this.#breaker.probeOn !== undefined;
    this.#bucket.take(now);
    this.#onItsWay.set(message.id, message);
    const outcome = await this.#handOver(message);
    // If shutdown has given up waiting, the message is already marked.
    if (!this.#onItsWay.delete(message.id)) return;
    const code = 'code' in outcome ? harmlessCode(outcome.code) : undefined;
    const about = { gateway: gateway.description, ...(code === undefined ? {} : { code }) };
    if (outcome.kind === 'submitted' || outcome.kind === 'refused') {
      if (this.#breaker.succeeded()) log.info('gateway accepts messages again', about);
    } else if (this.#breaker.failed(clock(), wasProbe)) log.warn('gateway accepts no messages, probing it', about);
    this.#marks.push(judgeOutcome(message, outcome, clock(), wasProbe, this.#judge));
    this.wake();
  }

  async #handOver(message: ClaimedMessage) {
    try {
      if (this.#gateway === undefined) return { kind: 'unavailable', code: 'closed' } as const;
      return await this.#gateway.send(outgoingMessage(message));
    } catch (error) {
      // A gateway promises not to reject, so there is no telling how far it got.
      this.#deps.log.error('gateway failed', { error, messageId: message.id });
      return { kind: 'unknown', code: 'gateway-failed' } as const;
    }
  }

  #untilNext(now: number, full: boolean): number {
    if (this.#marks.length > 0) return 0;
    const until = [LOOK];
    const isLeading = this.#gateway !== undefined;
    if (isLeading) until.push(this.#leaseTimes.untilRenewal(now));
    const { probeOn } = this.#breaker;
    if (probeOn !== undefined) until.push(probeOn > now ? probeOn - now : LOOK);
    else if (isLeading && full && this.#onItsWay.size < this.#deps.window) until.push(this.#bucket.wait(now));
    return Math.max(0, Math.min(...until));
  }

  /** Resolves after that many milliseconds, or when the worker is woken. */
  async #wait(milliseconds: number): Promise<void> {
    if (milliseconds > 0) await this.#deps.sleep(milliseconds, this.#alarm.signal).catch(() => {});
    this.#alarm = new AbortController();
  }

  async #closeGateway(): Promise<void> {
    const limit = new AbortController();
    const late = this.#deps.sleep(END_LIMIT, limit.signal).catch(() => {});
    await Promise.race([this.#gateway?.close(), late]).finally(() => limit.abort());
  }

  async #end(): Promise<void> {
    const { clock, lease, log, store } = this.#deps;
    const holder = this.#holder;
    const until = clock() + END_LIMIT;
    for (let left = END_LIMIT; this.#onItsWay.size > 0 && left > 0; left = until - clock()) {
      await this.#wait(Math.min(left, lease / 3));
      // Anything that can't be written now is written with the rest.
      await this.#writeMarks().catch(() => {});
    }
    for (const { id } of this.#onItsWay.values()) {
      log.warn('message sent, no answer received', { messageId: id, code: 'stopped' });
      this.#marks.push({ kind: 'unanswered', id, until: clock() + lease, code: 'stopped' });
    }
    this.#onItsWay.clear();
    try {
      // Whatever happens to the database, the connection to the gateway must be closed.
      await this.#writeMarks().finally(() => this.#closeGateway());
      await store.write(({ outbox }) => outbox.letGo(holder), [OUTBOX_KEY]);
    } catch (error) {
      // Another process takes over when the leases expire.
      log.error('outbox not closed cleanly', { error });
    }
  }

  async #writeMarks(): Promise<void> {
    const { clock, lease, store } = this.#deps;
    const holder = this.#holder;
    const marks = [...this.#marks];
    if (this.#gateway === undefined && marks.length === 0) return;
    const now = clock();
    await store.write(
      async ({ outbox }) => {
        for (const mark of marks) await outbox.mark(mark, holder, now);
        await outbox.hold({ holder, now, leasedUntil: now + lease });
        for (const id of this.#onItsWay.keys()) await outbox.renew({ id, holder, now, leasedUntil: now + lease });
      },
      [OUTBOX_KEY],
    );
    this.#marks = this.#marks.slice(marks.length);
  }
}
