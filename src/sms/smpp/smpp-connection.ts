import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { GatewayAddress } from '../gateway.ts';
import {
  createPduFrames,
  decodePdu,
  encodeAnswer,
  encodePdu,
  isResponse,
  type Pdu,
  type PduFields,
  statusOf,
} from './pdu.ts';

export type SmppAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly pdu: Pdu }
  /** Written, but not answered in time, or before the connection ended. */
  | { readonly kind: 'lost'; readonly code: string }
  /** The connection had already ended, so nothing was written. */
  | { readonly kind: 'not-sent'; readonly code: string };

export interface SmppConnection {
  /** Sends a request. Never rejects. Each request has its own sequence number, so that many may be pending at once. */
  request(command: string, fields: PduFields, timeoutMs: number): Promise<SmppAnswer>;
  /** Resolves when the connection has ended, with the reason. */
  readonly closed: Promise<string>;
  /** Ends the connection. The first reason counts. */
  end(code: string): void;
}

export interface ConnectionOptions {
  readonly address: GatewayAddress;
  /** For the connection, including its TLS handshake. */
  readonly timeoutMs: number;
  /** Called with each deliver_sm and data_sm, which is acknowledged afterwards. If this rejects, the SMS center is asked to send it again. */
  readonly onDelivery: (pdu: Pdu) => Promise<void>;
  /** Ends the connection or the attempt to establish it. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** Bytes of answers that may wait to be read: an SMS center that sends requests without reading the answers must not fill the memory. */
const MOST_UNTAKEN = 64 * 1024;
/** PDUs that are read before other work of the process gets its turn. */
const MOST_AT_ONCE = 50;
/** PDUs per second that are neither receipts nor answers to us. SMS centers send a few enquire_link per minute. */
const MOST_OTHERS = 500;
/** Deliveries that may wait for the database. SMS centers send about ten before they wait. One that sends more is asked to try again. */
const MOST_DELIVERIES = 1000;

/**
 * Connects to an SMS center and speaks SMPP 3.4 with it. Resolves with a code if it cannot be reached. Requests from the other side are
 * answered here. This also makes up for weaknesses of the library's own session: a PDU that cannot be read is answered and skipped instead
 * of stopping all reading, a lost connection settles all pending requests, and no error is lost.
 */
export function openConnection(options: ConnectionOptions): Promise<SmppConnection | { code: string }> {
  const { host, port, tls } = options.address;
  const socket: Socket = tls ? connectTls({ host, port }) : connectPlain({ host, port });
  const { promise: closed, resolve: resolveClosed } = Promise.withResolvers<string>();
  const { promise: opened, resolve: resolveOpened } = Promise.withResolvers<SmppConnection | { code: string }>();
  const waiting = new Map<number, (answer: SmppAnswer) => void>();
  const frames = createPduFrames();
  let ended: string | undefined;
  let sequence = 0;
  let deliveries = 0;
  let unread: Buffer[] = [];
  let others = { second: 0, count: 0 };
  const abort = (): void => end('closed');

  function end(code: string): void {
    if (ended !== undefined) return;
    ended = code;
    clearTimeout(connecting);
    options.signal.removeEventListener('abort', abort);
    socket.destroy();
    for (const settle of waiting.values()) settle({ kind: 'lost', code });
    waiting.clear();
    resolveOpened({ code });
    resolveClosed(code);
  }

  function request(command: string, fields: PduFields, timeoutMs: number): Promise<SmppAnswer> {
    if (ended !== undefined) return Promise.resolve({ kind: 'not-sent', code: ended });
    // 0x7FFFFFFF is the highest sequence number in the protocol.
    sequence = (sequence % 0x7fffffff) + 1;
    const own = sequence;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        waiting.delete(own);
        resolve({ kind: 'lost', code: `${command}-unanswered` });
      }, timeoutMs);
      waiting.set(own, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      socket.write(encodePdu(command, own, fields));
    });
  }

  function answer(octets: Buffer, sent?: () => void): void {
    if (ended !== undefined) return;
    socket.write(octets, sent);
    if (socket.writableLength > MOST_UNTAKEN) end('answers-not-taken');
  }

  async function deliver(pdu: Pdu): Promise<void> {
    const refuse = () => answer(encodeAnswer(pdu, statusOf('ESME_RX_T_APPN')));
    if (deliveries === MOST_DELIVERIES) return refuse();
    deliveries++;
    try {
      await options.onDelivery(pdu);
      answer(encodePdu(`${pdu.command}_resp`, pdu.sequence_number));
    } catch {
      refuse();
    } finally {
      deliveries--;
    }
  }

  function countOther(): void {
    const second = Math.floor(options.clock() / 1000);
    others = { second, count: second === others.second ? others.count + 1 : 1 };
    if (others.count > MOST_OTHERS) end('too-many-requests');
  }

  function receive(pdu: Pdu): void {
    if (isResponse(pdu)) {
      const settle = waiting.get(pdu.sequence_number);
      waiting.delete(pdu.sequence_number);
      // A generic_nack never means success, whatever its status.
      const status =
        pdu.command === 'generic_nack' ? pdu.command_status || statusOf('ESME_RUNKNOWNERR') : pdu.command_status;
      if (settle === undefined) countOther();
      else settle({ kind: 'answered', status, pdu });
      return;
    }
    if (pdu.command !== 'deliver_sm' && pdu.command !== 'data_sm') countOther();
    switch (pdu.command) {
      case 'deliver_sm':
      case 'data_sm':
        void deliver(pdu);
        break;
      case 'enquire_link':
        answer(encodePdu('enquire_link_resp', pdu.sequence_number));
        break;
      case 'unbind':
        answer(encodePdu('unbind_resp', pdu.sequence_number), () => end('unbound-by-gateway'));
        break;
      // Neither has a response.
      case 'alert_notification':
      case 'outbind':
        break;
      case 'malformed':
        answer(encodeAnswer(pdu, statusOf('ESME_RX_P_APPN')));
        break;
      default:
        answer(encodeAnswer(pdu, statusOf('ESME_RINVCMDID')));
    }
  }

  const connecting = setTimeout(() => end('ETIMEDOUT'), options.timeoutMs);
  options.signal.addEventListener('abort', abort);
  socket.setNoDelay();
  socket.on(tls ? 'secureConnect' : 'connect', () => {
    clearTimeout(connecting);
    resolveOpened({ request, closed, end });
  });
  function readOn(): void {
    const portion = unread.slice(0, MOST_AT_ONCE);
    unread = unread.slice(MOST_AT_ONCE);
    // Their answers are written together.
    socket.cork();
    for (const frame of portion) if (ended === undefined) receive(decodePdu(frame));
    socket.uncork();
    if (ended !== undefined) return;
    if (unread.length > 0) setImmediate(readOn);
    else socket.resume();
  }

  socket.on('data', (chunk: Buffer) => {
    try {
      unread.push(...frames(chunk));
    } catch {
      end('malformed');
      return;
    }
    socket.pause();
    readOn();
  });
  socket.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? 'error'));
  socket.on('end', () => end('closed-by-gateway'));
  socket.on('close', () => end('closed-by-gateway'));
  return opened;
}
