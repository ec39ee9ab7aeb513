import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { SmsConfig } from '../../settings/sms-settings.ts';
import { SetUpError } from '../../vocabulary/errors.ts';
import { deliveryReceipt, plainId } from './delivery-receipt.ts';
import {
  type ChosenGateway,
  type Gateway,
  type GatewayAddress,
  type GatewayDependencies,
  harmlessReference,
  NOT_HELD,
  type OutgoingMessage,
  type SendFate,
} from './gateway.ts';
import { Pace } from './pace.ts';
import { type Pdu, statusName } from './pdu.ts';
import { SmppConnection, type SmppResponse } from './smpp-connection.ts';
import { submitFields, submitRefusal, THROTTLING } from './submit.ts';

/** The SMS center at an address. Throws a SetUpError, which quotes no secret, for settings that do not fit into the protocol's fields. */
export function chooseSmppGateway(
  location: GatewayAddress & Pick<SmppGatewaySettings, 'systemType'>,
  settings: Pick<SmsConfig, 'username' | 'password' | 'sender'>,
): ChosenGateway {
  const { systemType, ...address } = location;
  const { username: systemId = '', password = '', sender } = settings;
  if (systemId === '') throw new SetUpError('SMS_USERNAME: expected the system_id, which an SMPP gateway needs');
  requireText('SMS_USERNAME', systemId, 15);
  requireText('SMS_GATEWAY, system_type', systemType, 12);
  requireText('SMS_SENDER', sender ?? '', 20);
  // The protocol allows 8; many SMS centers accept more.
  requireText('SMS_PASSWORD', password, 64);
  const { host, port, tls } = address;
  return {
    description: `${tls ? 'ssmpp' : 'smpp'}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    address,
    open: (dependencies) => new SmppGateway({ address, systemId, password, systemType, sender }, dependencies),
  };
}

/** Source: SMPP 3.4, 5.2.1 to 5.2.3 and 5.2.8: ASCII of limited length. */
function requireText(setting: string, value: string, longest: number): void {
  if (value.length <= longest && /^[\x20-\x7e]*$/.test(value)) return;
  throw new SetUpError(`${setting}: expected up to ${longest} characters of ASCII for an SMPP gateway`);
}

const SMPP_TIMES = {
  /** Timeout for the connection. */
  connectMs: 10_000,
  /** Timeout for the response to bind or enquire_link. */
  responseMs: 10_000,
  /** Timeout for the response to unbind, for which a process that ends waits. */
  unbindMs: 4000,
  /** Timeout for the response to a submission: long, because after it nobody knows whether the SMS center has the message. */
  submitMs: 60_000,
  /** Interval between two enquire_link. */
  enquireLinkMs: 30_000,
  /** The delay before reconnecting is random, up to this value, then up to twice this value, and so on. */
  reconnectMs: 1000,
  longestReconnectMs: 60_000,
};

export interface SmppGatewaySettings {
  readonly address: GatewayAddress;
  readonly systemId: string;
  readonly password: string;
  readonly systemType: string;
  /** For messages without a header of their own. */
  readonly sender: string | undefined;
  readonly times?: Partial<typeof SMPP_TIMES>;
}

/** Segments that are remembered: as many as a large hospital sends in a day. */
const MOST_SEGMENTS = 20_000;
/** How long a phone is trusted to keep the first segments of a message; after it, all are sent again. */
const COMPLETED_MS = 3_600_000;

type Opened = SmppConnection | { readonly code: string };

/**
 * An SMS center over SMPP 3.4, bound as transceiver from the start. One connection is kept: it is checked with enquire_link at intervals, and
 * opened again after growing random delays. The segments of a message are sent one after another, so that there are never more submissions
 * than messages in flight. A message counts as submitted when all its segments are accepted. Its reference is the id of the last one, whose
 * receipt decides.
 */
export class SmppGateway implements Gateway {
  readonly #settings: SmppGatewaySettings;
  readonly #deps: GatewayDependencies;
  readonly #times: typeof SMPP_TIMES;
  readonly #pace: Pace;
  #sequence = Promise.resolve();
  /** Of messages of which only some segments were accepted: the next one, which may still be sent alone. */
  readonly #begun: LRUCache<number, number>;
  /** The messages of segments other than the last, by the SMS center's id. */
  readonly #segments = new LRUCache<string, number>({ max: MOST_SEGMENTS });
  /** The bound connection, or the attempt to bind one that is under way, or the last reason why there is none. */
  #current: Opened | Promise<Opened> = { code: 'not-connected' };
  /** Aborted when there must be no more attempts. An existing connection may still unbind. */
  readonly #closing = new AbortController();
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  constructor(settings: SmppGatewaySettings, dependencies: GatewayDependencies) {
    this.#settings = settings;
    this.#deps = dependencies;
    this.#times = { ...SMPP_TIMES, ...settings.times };
    const { rate, stopwatch } = dependencies;
    this.#pace = new Pace(rate, stopwatch);
    this.#begun = new LRUCache({ max: MOST_SEGMENTS, ttl: COMPLETED_MS, ttlResolution: 0, perf: { now: stopwatch } });
    this.#running = this.#keepConnected();
  }

  async send(message: OutgoingMessage): Promise<SendFate> {
    const connection = this.#closing.signal.aborted ? { code: 'closed' } : await this.#current;
    if ('code' in connection) return { kind: 'unavailable', code: connection.code };
    const next = this.#begun.get(message.id) ?? 0;
    this.#begun.delete(message.id);
    let fate: SendFate = { kind: 'submitted', reference: undefined };
    const submissions = submitFields(message, this.#settings.sender, this.#deps.clock());
    for (const [index, fields] of submissions.entries()) {
      if (index < next) continue;
      await this.#nextSequence();
      if (!this.#deps.maySubmit()) fate = NOT_HELD;
      else if (this.#closing.signal.aborted) fate = { kind: 'unavailable', code: 'closed' };
      else fate = fateOf(await connection.request('submit_sm', fields, this.#times.submitMs));
      if (fate.kind === 'submitted') {
        this.#pace.accepted();
        // An SMS center may give an id again.
        this.#segments.set(fate.reference ?? '', index < submissions.length - 1 ? message.id : undefined);
      } else {
        if (THROTTLING.includes(fate.code)) this.#pace.throttled();
        // So that no segment is sent twice.
        if (index > 0 && fate.kind !== 'refused') this.#begun.set(message.id, index);
        break;
      }
    }
    return fate;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    if ('request' in this.#current) {
      await this.#current.request('unbind', {}, this.#times.unbindMs);
      this.#current.end('unbound');
    }
    this.#stop.abort();
    await this.#running;
  }

  async #keepConnected(): Promise<void> {
    const { clock, random, report } = this.#deps;
    const { enquireLinkMs, reconnectMs, longestReconnectMs } = this.#times;
    let failures = 0;
    let reported: string | undefined;
    while (!this.#closing.signal.aborted) {
      this.#current = this.#bind();
      const opened = await this.#current;
      this.#current = opened;
      let code = 'code' in opened ? opened.code : 'closed';
      if (!('code' in opened) && !this.#closing.signal.aborted) {
        report('connected', undefined);
        reported = undefined;
        const since = clock();
        code = await this.#endOf(opened);
        // A connection that ends as soon as it is bound does not count as a success.
        if (clock() - since > enquireLinkMs) failures = 0;
      }
      this.#current = { code };
      if (this.#closing.signal.aborted) break;
      if (code !== reported) report('disconnected', code);
      reported = code;
      await this.#pause(random() * Math.min(longestReconnectMs, reconnectMs * 2 ** Math.min(failures, 30)));
      failures++;
    }
  }

  async #bind(): Promise<Opened> {
    const { address, systemId, password, systemType } = this.#settings;
    const { connectMs: timeoutMs, responseMs } = this.#times;
    const { signal } = this.#stop;
    const { clock } = this.#deps;
    const onDelivery = (pdu: Pdu) => this.#receive(pdu);
    const connection = await SmppConnection.open({ address, timeoutMs, onDelivery, signal, clock });
    if ('code' in connection) return connection;
    const fields = { system_id: systemId, password, system_type: systemType, interface_version: 0x34 };
    const response = await connection.request('bind_transceiver', fields, responseMs);
    if ('status' in response && response.status === 0) return connection;
    const code = 'status' in response ? statusName(response.status) : response.code;
    connection.end(code);
    return { code };
  }

  /** Checks the connection until it ends. Resolves with the code with which it ended. */
  async #endOf(connection: SmppConnection): Promise<string> {
    const timer = setInterval(async () => {
      const response = await connection.request('enquire_link', {}, this.#times.responseMs);
      if ('code' in response) connection.end(response.code);
    }, this.#times.enquireLinkMs);
    try {
      return await connection.closed;
    } finally {
      clearInterval(timer);
    }
  }

  async #receive(pdu: Pdu): Promise<void> {
    const { onReceipt, report } = this.#deps;
    const receipt = deliveryReceipt(pdu, (state) => report('sent a receipt of an unknown state', state));
    if (receipt === undefined) return report('sent a message that is no receipt', undefined);
    const messageId = this.#segments.get(receipt.reference ?? '');
    // Nobody asked for it, but some SMS centers report on the first segment only. Without one segment, a phone shows nothing.
    const isNews = messageId === undefined || receipt.status === 'failed' || receipt.status === 'expired';
    if (isNews) await onReceipt({ ...receipt, messageId });
  }

  /** Resolves when the pace allows one more submission. */
  #nextSequence(): Promise<void> {
    this.#sequence = this.#sequence.then(() => this.#pause(this.#pace.take()));
    return this.#sequence;
  }

  /** Ends early when the gateway is closed. */
  async #pause(milliseconds: number): Promise<void> {
    if (milliseconds > 0) await pause(milliseconds, undefined, { signal: this.#closing.signal }).catch(() => {});
  }
}

function fateOf(response: SmppResponse): SendFate {
  if ('code' in response) return response;
  if (response.status !== 0) return submitRefusal(response.status);
  const id = response.pdu.message_id;
  return { kind: 'submitted', reference: typeof id === 'string' ? harmlessReference(plainId(id)) : undefined };
}
