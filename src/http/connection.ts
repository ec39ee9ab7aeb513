import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Peer, RequestOrigin } from '../access/request-origin.ts';
import { plainAddress } from '../vocabulary/ip-address.ts';
import type { ConnectionLimits, Network } from './connection-limits.ts';
import { type BrokenError, encodedGet, streamInstead } from './encode-address.ts';
import { type ReceivedRequest, UnfinishedBody } from './unfinished-body.ts';
import {
  answerTo,
  brokenAs,
  HEADER_OVERFLOW,
  LARGEST_HEAD,
  REQUEST_TIMEOUT,
  type Refuse,
  sizeOfHead,
  TOO_MANY_AT_ONCE,
  textOf,
} from './unusual-requests.ts';

/** Requests of one connection that may be unanswered. A client that waits for answers before it continues never comes near this. */
const MOST_UNANSWERED = 16;
/** How long a client that sent a broken request may take to read the answer. */
const CLOSING_TIME_MS = 1000;
/** Bytes of a line end, which belongs to no request if it is between two: RFC 9112, 2.2. */
const LINE_END = 2;

/** Secrets that a connection may log: a handshake has up to six. Programs make new ones after gigabytes, at 20 µs each. */
const MOST_SECRETS = 32;

/** A value that the parser does not expect, so that it stops reading and reports `HPE_CB_HEADERS_COMPLETE`. */
const REFUSED = -1;

/** The method that Node's parser calls once the headers of a request are complete. Not in Node's documentation: decision 0003. */
interface ParserOfSocket {
  onIncoming: (request: IncomingMessage, shouldKeepAlive: boolean) => number;
}

/** What a server does with requests: answers them, or says with which fault. */
export interface Handling {
  readonly serve: (request: IncomingMessage, response: ServerResponse) => void;
  readonly refuse: Refuse;
}

/** What a connection needs to know of all those of its server. */
export interface Owner {
  readonly limits: ConnectionLimits;
  readonly handling: Handling;
  readonly isClosing: boolean;
  readonly issuers: unknown;
  isFlooded(network: Network): boolean;
  takePiece(network: Network): void;
  read(stream: Duplex, connection: Connection): void;
}

/**
 * A connection of a client, from its first event to its end: what is known of it, and the rules for it. Its requests are served one after
 * another, each once the previous answer has been passed to the operating system, so that it never holds more than one answer.
 */
export class Connection implements Peer {
  readonly address: string;
  isEncrypted = false;
  origin: RequestOrigin | undefined;
  readonly network: Network;
  /** Whether it has sent a request. */
  hasRequested = false;
  /** The one that requests arrive on: with TLS, not the one beneath it. */
  socket: Socket;
  readonly #all: Owner;
  /** Who issued the certificates of clients when it was accepted. */
  readonly #issuers: unknown;
  /** What its requests are answered with, in their order; only the first is being served. */
  readonly #unanswered: ServerResponse[] = [];
  /** Its answer comes after those of all other requests. Undefined once both are complete: an idle connection would keep its body. */
  #latest: ServerResponse | undefined;
  #body: UnfinishedBody | undefined;
  #hasBegun = false;
  /** Whether its next answer is its last. */
  #ends = false;
  #isBroken = false;
  /** Why the parser was stopped. */
  #refusedFor = '';
  #secrets = 0;
  /** Whether a request was completed since it was checked, and how many bytes it had then received. */
  #hasEnded = false;
  #requestsEnd = 0;
  /** How many it had received when it was checked. */
  #received = 0;
  /** How many checks have found it busy with the same answer, or without a request. */
  #checks = 0;
  /** How many have found it without another byte. */
  #quiet = 0;

  constructor(all: Owner, socket: Socket, network: Network) {
    this.#all = all;
    this.#issuers = all.issuers;
    this.socket = socket;
    this.network = network;
    this.address = plainAddress(socket.remoteAddress ?? '');
  }

  /** Whether it ends with the next answer, which says so. */
  get isLast(): boolean {
    return this.#ends || this.#all.isClosing || this.#all.issuers !== this.#issuers;
  }

  /** Whether it has sent a request whose body is not complete. */
  get isReceiving(): boolean {
    return this.#latest?.req.complete === false;
  }

  /**
   * HTTP begins on a socket. Stops its parser in the middle of what it has read if a request is not to be received: Node reads up to 64 KiB
   * at once, which can contain thousands of requests.
   */
  begin(socket: Socket | Duplex): void {
    this.#hasBegun = true;
    if (socket instanceof Socket) this.socket = socket;
    this.isEncrypted = 'encrypted' in socket && socket.encrypted === true;
    const { parser } = socket as { parser?: ParserOfSocket | null };
    // A socket that an earlier listener has closed has none.
    if (parser == null) return;
    const take = parser.onIncoming;
    parser.onIncoming = (request, shouldKeepAlive) => {
      this.#refusedFor = this.#reasonToRefuse(request);
      return this.#refusedFor === '' ? take(request, shouldKeepAlive) : REFUSED;
    };
  }

  #reasonToRefuse(request: IncomingMessage): string {
    if (this.#unanswered.length >= MOST_UNANSWERED) return TOO_MANY_AT_ONCE;
    if (request.headers['transfer-encoding'] !== undefined && this.#all.isFlooded(this.network))
      return TOO_MANY_AT_ONCE;
    return !this.network.isProxy && sizeOfHead(request) > LARGEST_HEAD ? HEADER_OVERFLOW : '';
  }

  /** Takes the answer to a request whose headers are complete. */
  receive(response: ServerResponse): void {
    this.#latest = response;
    this.hasRequested = true;
    response.on('close', () => this.#serveNext());
    if (this.#unanswered.push(response) === 1) this.#serveFirst();
  }

  #serveNext(): void {
    this.#unanswered.shift();
    this.#forgetLatest();
    // Behind an answer with `Connection: close`, nothing can be answered, so nothing is executed: RFC 9112, 9.6.
    if (this.socket.writable) this.#serveFirst();
  }

  #forgetLatest(): void {
    if (this.#unanswered.length === 0 && !this.isReceiving) this.#latest = undefined;
  }

  #serveFirst(): void {
    this.#checks = 0;
    const [first] = this.#unanswered;
    if (first !== undefined) this.#all.handling.serve(first.req, first);
  }

  /** Counts a piece of a body. */
  takePiece(request: ReceivedRequest, { length }: Buffer): void {
    this.#all.takePiece(this.network);
    // What is not kept takes no memory.
    if (this.#latest?.headersSent) this.forgetBody();
    // Nearly all bodies arrive at once. One that does not is unfinished.
    else if (this.#body !== undefined || length !== Number(request.headers['content-length'])) {
      this.#body ??= new UnfinishedBody(request, this.network, (mustEnd) => this.#refuseBody(request, mustEnd));
      this.#body.take(length);
    }
  }

  #refuseBody(request: ReceivedRequest, mustEnd: boolean): void {
    this.#ends = true;
    // Node holds what has been received until the request is destroyed.
    this.#latest?.once('finish', () => request.destroy());
    if (mustEnd) this.socket.destroy();
  }

  /** A request is complete. */
  endRequest(): void {
    this.#hasEnded = true;
    if (this.#unanswered.length < 2) this.#checks = 0;
    this.forgetBody();
    this.#forgetLatest();
  }

  /** Whatever has arrived of a body takes no more memory. */
  forgetBody(): void {
    this.#body?.end();
    this.#body = undefined;
  }

  /** Ends it if it makes keys without end (RFC 8446, 4.6.3): OpenSSL makes all that were requested before anything else happens. */
  countSecret(): void {
    // OpenSSL is still at work.
    if (++this.#secrets === MOST_SECRETS) setImmediate(() => this.socket.destroy());
  }

  /** Ends it if it exceeds a limit. To be called every `periodMs`. */
  check(periodMs: number): void {
    // Node limits the time of a handshake.
    if (!this.#hasBegun) return;
    const { answerMs, keepAliveMs, quietMs, requestMs } = this.#all.limits;
    const { bytesRead } = this.socket;
    if (this.#hasEnded) this.#requestsEnd = bytesRead;
    this.#hasEnded = false;
    const [first] = this.#unanswered;
    const isBody = first === undefined ? this.isReceiving : !first.req.complete;
    const head = first === undefined && !isBody ? bytesRead - this.#requestsEnd : 0;
    const isHead = head > LINE_END;
    if (bytesRead !== this.#received) this.#quiet = 0;
    this.#received = bytesRead;
    // The first check may follow immediately after the answer.
    const waitedMs = this.#checks++ * periodMs;
    const silentMs = this.#quiet++ * periodMs;
    if (head > LARGEST_HEAD && !this.network.isProxy) this.break({ code: HEADER_OVERFLOW });
    else if ((isHead || isBody) && silentMs >= quietMs) this.break({ code: REQUEST_TIMEOUT });
    if (isBody) return;
    // Node limits the time of a request, but line ends without end belong to none.
    const limitMs = first !== undefined ? answerMs : isHead ? keepAliveMs + requestMs : keepAliveMs;
    if (waitedMs >= limitMs) this.socket.destroy();
  }

  /** Refuses what Node cannot parse, or has waited for too long. */
  break(error: BrokenError): void {
    // Anything received after the broken request is broken too.
    if (this.#isBroken) return;
    this.#isBroken = true;
    // With the last byte of its client, Node would end a connection on which it knows of no answer to wait for.
    this.socket.removeAllListeners('end');
    // An endpoint may have refused the request in this turn, before the rest proved to be broken. Without TLS, the socket is gone then.
    if (this.#hasBegun) setImmediate(() => this.#answerBroken(error));
    else this.#answerBroken(error);
  }

  #answerBroken(error: BrokenError): void {
    const { socket } = this;
    const latest = this.#latest;
    const { code = '' } = error;
    const isSilent = code === REQUEST_TIMEOUT && socket.bytesRead <= LINE_END;
    // Failures of the connection cannot be answered, and are no requests.
    if (isSilent || !/^(?:HPE_|ERR_HTTP_|ERR_SSL_HTTP_REQUEST$)/.test(code)) return void socket.destroy();
    if (this.isReceiving && latest?.headersSent) {
      // The request was refused before it was complete. What this turn has to send is sent first.
      return void setImmediate(() => this.#close());
    }
    const encoded = encodedGet(error);
    if (encoded !== undefined) return void afterAnswer(latest, () => this.#readInstead(encoded));
    const broken = brokenAs(this.#refusedFor || code, this.hasRequested ? undefined : error.rawPacket);
    // Nothing of it was read but its connection. Behind a trusted proxy, it is nobody's that is known, and must not count as the proxy's own.
    const unread = { socket, peer: this, headers: { 'x-forwarded-for': '0.0.0.0' } };
    const answer = answerTo(broken, this.#all.handling.refuse(unread as unknown as IncomingMessage, broken.error));
    // Nothing more is read until the answer before it is sent; while the connection is closed, reading goes on.
    socket.pause();
    afterAnswer(this.isReceiving ? this.#withdrawLatest() : latest, () => {
      socket.resume();
      this.#close(textOf(answer));
    });
  }

  /** Does not serve the latest request, whose rest cannot be read. Returns the answer that is due before its own. */
  #withdrawLatest(): ServerResponse | undefined {
    if (this.#unanswered.length < 2) return undefined;
    this.#unanswered.pop();
    return this.#unanswered.at(-1);
  }

  /**
   * Lets the server read a request in the place of the one that it could not, as the last of this connection. What the client says of the
   * connection does not matter.
   */
  #readInstead(request: string): void {
    if (!this.socket.writable) return void this.socket.destroy();
    this.#isBroken = false;
    this.#ends = true;
    this.#all.read(
      streamInstead(this.socket, request, () => this.#close()),
      this,
    );
  }

  /** Sends what is left, and closes. Closing while the client is sending would cause a reset, which loses the answer: RFC 9112, 9.6. */
  #close(last = ''): void {
    const { socket } = this;
    if (!socket.writable) return void socket.destroy();
    socket.end(last);
    const cut = setTimeout(() => socket.destroy(), CLOSING_TIME_MS);
    socket.once('close', () => clearTimeout(cut));
  }
}

/** Calls a function at once, or as soon as an answer that is not finished has been sent, so that it is not confused with another. */
function afterAnswer(latest: ServerResponse | undefined, then: () => void): void {
  if (latest === undefined || latest.writableFinished) then();
  else latest.once('close', then);
}
