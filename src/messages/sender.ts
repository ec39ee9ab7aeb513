import type { ClaimedMessage } from '../store/queries/outbox-queries.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import type { Gateway, GatewayDependencies, OutgoingMessage, SendFate } from './gateways/gateway.ts';
import { harmlessCode } from './gateways/gateway.ts';
import type { OutboxDependencies } from './outbox-settings.ts';
import { smsMode } from './sms-mode.ts';

/** `wasProbe`: the gateway was known to be unavailable. */
type OnFate = (message: ClaimedMessage, fate: SendFate, wasProbe: boolean) => void;

/** Log lines per minute about each kind of event that a gateway causes. */
const MOST_LOGGED = 100;

/** Whoever refuses messages to as many numbers in a row for the same reason would refuse the next one, too. */
const SEVERAL = 3;

/** Tells refusals that concern a message from those that concern the account or the settings, which must not cost each message its chance. */
class Refusals {
  #code: string | undefined;
  readonly #numbers = new Set<string>();

  /** The fate of a message to a number, given those before it. */
  judged(fate: SendFate, mobile: string): SendFate {
    if (fate.kind !== 'submitted' && fate.kind !== 'refused') return fate;
    if (fate.kind === 'submitted' || fate.code !== this.#code) this.#numbers.clear();
    if (fate.kind === 'submitted') return fate;
    this.#code = fate.code;
    if (this.#numbers.size < SEVERAL) this.#numbers.add(mobile);
    return this.#numbers.size < SEVERAL ? fate : { kind: 'account', code: fate.code };
  }
}

/** Hands messages to the gateway, no faster than it should and can accept them. Open in the process that works on the outbox. */
export class Sender {
  readonly #deps: OutboxDependencies;
  readonly #onFate: OnFate;
  readonly #breaker: CircuitBreaker;
  readonly #refusals = new Refusals();
  readonly #mayLog: (event: string) => boolean;
  readonly #inFlight = new Set<ClaimedMessage>();
  /** When the rate allows the next message, or a tenth of a second's worth of them. By the stopwatch, as all instants here. */
  #freeOn = 0;
  #gateway: Gateway | undefined;

  constructor(dependencies: OutboxDependencies, onFate: OnFate) {
    this.#deps = dependencies;
    this.#onFate = onFate;
    this.#breaker = new CircuitBreaker(dependencies.random);
    this.#mayLog = dependencies.budgets.perCode(MOST_LOGGED, 'gateway events not logged');
  }

  get isOpen(): boolean {
    return this.#gateway !== undefined;
  }

  /** How long the gateway has accepted nothing of what it was handed. */
  get failingMs(): number {
    const { failingSince } = this.#breaker;
    return this.isOpen && failingSince !== undefined ? this.#deps.stopwatch() - failingSince : 0;
  }

  /** Ids of the messages whose fate is not known yet. */
  get inFlight(): readonly number[] {
    return Array.from(this.#inFlight, ({ id }) => id);
  }

  /** Number of messages that may be sent now. */
  get room(): number {
    const { rate, stopwatch, window } = this.#deps;
    const now = stopwatch();
    const { probeOn } = this.#breaker;
    if (!this.isOpen || now < (probeOn ?? this.#freeOn)) return 0;
    if (probeOn !== undefined) return this.#inFlight.size === 0 ? 1 : 0;
    return Math.max(0, Math.min(window - this.#inFlight.size, Math.max(1, Math.floor(rate / 10))));
  }

  /** Milliseconds until there is room again if no fate makes some before. */
  get untilRoomMs(): number {
    const waitMs = (this.#breaker.probeOn ?? this.#freeOn) - this.#deps.stopwatch();
    return waitMs > 0 ? Math.ceil(waitMs) : Number.POSITIVE_INFINITY;
  }

  open(dependencies: Pick<GatewayDependencies, 'baseUrl' | 'onReceipt' | 'maySubmit'>, onConnected: () => void): void {
    const { gateway, log, clock, random, stopwatch, environment, rate } = this.#deps;
    const report: GatewayDependencies['report'] = (event, code) => {
      if (!this.#mayLog(event)) return;
      log[event === 'sent a receipt of an unknown state' ? 'warn' : 'info'](`gateway ${event}`, {
        gateway: gateway.description,
        code: harmlessCode(code),
      });
      if (event !== 'connected') return;
      this.#breaker.probeSoon(stopwatch());
      onConnected();
    };
    this.#gateway = gateway.open({ ...dependencies, clock, random, stopwatch, environment, rate, report });
  }

  /** Does not wait for messages in flight. */
  async close(): Promise<void> {
    const gateway = this.#gateway;
    this.#gateway = undefined;
    await gateway?.close();
  }

  async send(message: ClaimedMessage): Promise<void> {
    const { log, gateway, rate, stopwatch } = this.#deps;
    const wasProbe = this.#breaker.probeOn !== undefined;
    this.#freeOn = Math.max(this.#freeOn, stopwatch()) + (message.segments * 1000) / rate;
    this.#inFlight.add(message);
    const fate = this.#refusals.judged(await this.#handOver(message), message.mobile);
    // Whoever gave up waiting has recorded a fate, or another process will.
    if (!this.#inFlight.delete(message)) return;
    const about = { gateway: gateway.description, code: harmlessCode('code' in fate ? fate.code : undefined) };
    if (fate.kind === 'submitted' || fate.kind === 'refused') {
      if (this.#breaker.succeeded()) log.info('gateway accepts messages again', about);
    } else if (this.#breaker.failed(stopwatch(), wasProbe)) log.warn('gateway accepts no messages, probing it', about);
    this.#onFate(message, fate, wasProbe);
  }

  /** Waits for no fate any longer. Returns the ids of the messages that were in flight. */
  giveUp(): readonly number[] {
    const ids = this.inFlight;
    this.#inFlight.clear();
    return ids;
  }

  async #handOver(message: ClaimedMessage): Promise<SendFate> {
    if (this.#gateway === undefined) return { kind: 'unavailable', code: 'closed' };
    try {
      return await this.#gateway.send(outgoingMessage(message));
    } catch (error) {
      this.#deps.log.error('gateway failed', { error, messageId: message.id });
      return { kind: 'unknown', code: 'gateway-failed' };
    }
  }
}

const outgoingMessage = (message: ClaimedMessage): OutgoingMessage => ({
  id: message.id,
  mobile: message.mobile,
  text: message.text,
  encoding: message.encoding === 'GSM-7' ? 'GSM-7' : 'UCS-2',
  flash: smsMode(message.mode).flash,
  expiresOn: message.expiresOn ?? undefined,
  header: message.header ?? undefined,
  dltTemplateId: message.dltTemplateId ?? undefined,
  principalEntityId: message.principalEntityId ?? undefined,
});
