import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Machine } from '../../vocabulary/machine.ts';
import { connectionCode, type GatewayAddress } from './gateway.ts';
import type { Pdu, PduFields } from './pdu.ts';
import { decodePdu, encodePdu, isResponse, PduFrames, statusOf } from './pdu.ts';

/** Without a status: what became of a request that was written but not responded to in time, or could not be written any more. */
export type SmppResponse =
  | { readonly status: number; readonly pdu: Pdu }
  | { readonly kind: 'unknown' | 'unavailable'; readonly code: string };

export interface ConnectionOptions extends Pick<Machine, 'clock'> {
  readonly address: GatewayAddress;
  /** For the connection, including its TLS handshake. */
  readonly timeoutMs: number;
  /** Called with each deliver_sm and data_sm, which is acknowledged afterwards. If this rejects, the SMS center is asked to send it again. */
  readonly onDelivery: (pdu: Pdu) => Promise<void>;
  /** Ends the connection or the attempt to establish it. */
  readonly signal: AbortSignal;
}

/** Bytes of responses that may wait to be read: an SMS center that sends requests without reading the responses must not fill the memory. */
const MOST_UNTAKEN = 64 * 1024;
/** PDUs that are read before other work of the process gets its turn. */
const MOST_AT_ONCE = 50;
/** PDUs per second that are neither receipts nor responses to us. SMS centers send a few enquire_link per minute. */
const MOST_OTHERS = 500;
/** Deliveries that may wait for the database. SMS centers send about ten before they wait. One that sends more is asked to try again. */
const MOST_DELIVERIES = 1000;

/**
 * A connection to an SMS center, which speaks SMPP 3.4. Requests from the other side get their responses here. This also makes up for weaknesses of
 * the library's own session: one that cannot be read does not stop all reading, a lost connection settles all pending requests, and no error
 * is lost.
 */
export class SmppConnection {
  readonly #options: ConnectionOptions;
  readonly #socket: Socket;
  readonly #opened = Promise.withResolvers<SmppConnection | { code: string }>();
  readonly #closed = Promise.withResolvers<string>();
  /** Resolves when the connection has ended, with the reason. */
  readonly closed = this.#closed.promise;
  readonly #connecting: NodeJS.Timeout;
  readonly #waiting = new Map<number, (response: SmppResponse) => void>();
  readonly #frames = new PduFrames();
  /** Why it has ended. */
  #ended: string | undefined;
  #sequence = 0;
  #deliveries = 0;
  #unread: Buffer[] = [];
  #others = { second: 0, count: 0 };
  readonly #abort = (): void => this.end('closed');

  /** Resolves with a code if the SMS center cannot be reached. */
  static open(options: ConnectionOptions): Promise<SmppConnection | { code: string }> {
    return new SmppConnection(options).#opened.promise;
  }

  private constructor(options: ConnectionOptions) {
    const { host, port, tls } = options.address;
    this.#options = options;
    this.#connecting = setTimeout(() => this.end('ETIMEDOUT'), options.timeoutMs);
    options.signal.addEventListener('abort', this.#abort);
    const socket = tls ? connectTls({ host, port }) : connectPlain({ host, port });
    this.#socket = socket
      .setNoDelay()
      .on(tls ? 'secureConnect' : 'connect', () => {
        clearTimeout(this.#connecting);
        this.#opened.resolve(this);
      })
      .on('data', (chunk: Buffer) => this.#take(chunk))
      .on('error', (error) => this.end(connectionCode(error)))
      .on('end', () => this.end('closed-by-gateway'))
      .on('close', () => this.end('closed-by-gateway'));
  }

  /** Ends the connection. The first reason counts. */
  end(code: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = code;
    clearTimeout(this.#connecting);
    this.#options.signal.removeEventListener('abort', this.#abort);
    this.#socket.destroy();
    for (const settle of this.#waiting.values()) settle({ kind: 'unknown', code });
    this.#waiting.clear();
    this.#opened.resolve({ code });
    this.#closed.resolve(code);
  }

  /** Sends a request. Never rejects. Each request has its own sequence number, so that many may be pending at once. */
  request(command: string, fields: PduFields, timeoutMs: number): Promise<SmppResponse> {
    if (this.#ended !== undefined) return Promise.resolve({ kind: 'unavailable', code: this.#ended });
    // 0x7FFFFFFF is the highest sequence number in the protocol.
    const own = (this.#sequence % 0x7fffffff) + 1;
    this.#sequence = own;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(own);
        resolve({ kind: 'unknown', code: `${command}-unanswered` });
      }, timeoutMs);
      this.#waiting.set(own, (response) => {
        clearTimeout(timer);
        resolve(response);
      });
      this.#socket.write(encodePdu(command, own, fields));
    });
  }

  #take(chunk: Buffer): void {
    try {
      this.#unread.push(...this.#frames.take(chunk));
    } catch {
      this.end('malformed');
      return;
    }
    this.#socket.pause();
    this.#readOn();
  }

  #readOn(): void {
    const portion = this.#unread.slice(0, MOST_AT_ONCE);
    this.#unread = this.#unread.slice(MOST_AT_ONCE);
    // Their responses are written together.
    this.#socket.cork();
    for (const frame of portion) if (this.#ended === undefined) this.#receive(decodePdu(frame));
    this.#socket.uncork();
    if (this.#ended !== undefined) return;
    if (this.#unread.length > 0) setImmediate(() => this.#readOn());
    else this.#socket.resume();
  }

  #receive(pdu: Pdu): void {
    if (isResponse(pdu)) this.#settle(pdu);
    else if (pdu.command === 'deliver_sm' || pdu.command === 'data_sm') void this.#deliver(pdu);
    else this.#respondToOther(pdu);
  }

  #settle(pdu: Pdu): void {
    // A generic_nack may name no request.
    const [only = 0] = this.#waiting.size === 1 ? this.#waiting.keys() : [];
    const sequence = pdu.sequence_number || only;
    const settle = this.#waiting.get(sequence);
    this.#waiting.delete(sequence);
    // A generic_nack never means success, whatever its status.
    const isNack = pdu.command === 'generic_nack' && pdu.command_status === 0;
    const status = isNack ? statusOf('ESME_RUNKNOWNERR') : pdu.command_status;
    if (settle === undefined) this.#countOther();
    else settle({ status, pdu });
  }

  #respondToOther(pdu: Pdu): void {
    this.#countOther();
    if (pdu.command === 'enquire_link') this.#respond(pdu);
    else if (pdu.command === 'unbind') this.#respond(pdu, 'ESME_ROK', () => this.end('unbound-by-gateway'));
    // Neither has a response.
    else if (!['alert_notification', 'outbind'].includes(pdu.command)) this.#respond(pdu, 'ESME_RINVCMDID');
  }

  async #deliver(pdu: Pdu): Promise<void> {
    if (this.#deliveries === MOST_DELIVERIES) return this.#respond(pdu, 'ESME_RX_T_APPN');
    this.#deliveries++;
    try {
      await this.#options.onDelivery(pdu);
      this.#respond(pdu);
    } catch {
      this.#respond(pdu, 'ESME_RX_T_APPN');
    } finally {
      this.#deliveries--;
    }
  }

  #countOther(): void {
    const second = Math.floor(this.#options.clock() / 1000);
    this.#others = { second, count: second === this.#others.second ? this.#others.count + 1 : 1 };
    if (this.#others.count > MOST_OTHERS) this.end('too-many-requests');
  }

  #respond(pdu: Pdu, status = 'ESME_ROK', sent?: () => void): void {
    if (this.#ended !== undefined) return;
    this.#socket.write(pdu.response({ command_status: statusOf(status) }).toBuffer(), sent);
    if (this.#socket.writableLength > MOST_UNTAKEN) this.end('responses-not-taken');
  }
}
