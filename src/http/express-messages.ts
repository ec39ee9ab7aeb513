import { IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';
import { EVERY_ANSWER } from '../transports/answer.ts';
import { LARGEST_BODY } from '../transports/read-body.ts';
import type { ServiceError } from '../vocabulary/errors.ts';
import { BytesInFlight } from './bytes-in-flight.ts';
import type { Connection } from './connection.ts';
import { connectionOf } from './connections.ts';
import type { ReceivedRequest } from './unfinished-body.ts';

/** Bytes that are passed to the socket at once: fewer than its high-water mark. */
const LARGEST_PART = 32 * 1024;
/**
 * How long and how much of a refused body is still read, in milliseconds and bytes: an honest client has sent its file within these limits.
 */
const LONGEST_WAIT = 1000;
const LARGEST_REST = 16 * 1024 * 1024;
/** The maximum number of chunks: a chunk costs the same whether it contains one byte or thousands. */
const MOST_PIECES = 4096;
const LAST_ANSWER = { ...EVERY_ANSWER, Connection: 'close' };
/** Larger answers that are not sent yet. Smaller ones are limited by the number of connections, because each holds only one. */
const unsent = new BytesInFlight(32 * 1024 * 1024);

/**
 * Request and response classes for `createServer`, for use with an app on a server whose connections are known. If a connection is to end,
 * or its client is still sending what nobody reads, its answer contains `Connection: close`.
 *
 * Express sets the prototype of every request and response to its own, after which V8 treats each as a new kind of object. If they are
 * created with that prototype, they stay fast, and Express's assignment changes nothing.
 */
export function expressMessages(app: Express) {
  class ExpressRequest extends IncomingMessage implements ReceivedRequest {
    readonly peer: Connection;
    refusal: ServiceError | undefined;
    onRefusal: ((error: ServiceError) => void) | undefined;

    constructor(socket: Socket) {
      super(socket);
      this.peer = connectionOf(socket) as Connection;
    }

    /** Called by Node's parser with each piece of a body, and null behind the last. */
    override push(piece: Buffer | null): boolean {
      if (piece === null) this.peer.endRequest();
      else this.peer.takePiece(this, piece);
      return super.push(piece);
    }
  }

  class ExpressResponse extends ServerResponse<ExpressRequest> {
    /** Express would make it an object without a prototype, which V8 keeps as a hash table. */
    readonly locals = {};
    /**
     * Set before `writeHead`. Node would keep them as such a table, with all that `writeHead` adds: 5 % of a read over SOAP. Like the
     * others, not private, because an app that is served twice has two such classes in its prototypes.
     */
    readonly earlyHeaders: OutgoingHttpHeaders = {};

    /** Whether the connection is closed once the client has had time to send the rest of its request. */
    leavesRest = false;

    override setHeader(name: string, value: OutgoingHttpHeader): this {
      this.earlyHeaders[name] = value as string;
      return this;
    }

    override getHeader(name: string): OutgoingHttpHeader | undefined {
      return this.earlyHeaders[name];
    }

    override writeHead(status: number, headers?: unknown): this {
      // Behind a request to upgrade, Node's parser drops the rest of what arrived with it. Nothing is lost without a word if this is the end.
      this.leavesRest = hasLargeRest(this.req);
      const isLast = this.leavesRest || this.req.headers.upgrade !== undefined || this.req.peer.isLast;
      const ours = isLast ? LAST_ANSWER : EVERY_ANSWER;
      return super.writeHead(status, { ...ours, ...this.earlyHeaders, ...(headers as OutgoingHttpHeaders) });
    }

    /**
     * Sends the answer together with all others of this turn of the event loop. An answer sent between two calls wakes its client
     * separately, which costs the kernel more than the sending.
     */
    override end(...body: unknown[]): this {
      const [whole] = body;
      const length = typeof whole === 'string' || Buffer.isBuffer(whole) ? Buffer.byteLength(whole) : 0;
      const isLarge = length > LARGEST_PART;
      if (isLarge) this.countUnsent(length);
      // Node writes it by itself only to clients of HTTP/1.1, and closes the connection of others.
      if (length > 0 && !this.headersSent) this.setHeader('Content-Length', length);
      // A text with as many bytes as characters is ASCII, which Node sends faster as Latin-1: 6 % of a read.
      const isAscii = typeof whole === 'string' && length === whole.length;
      atEndOfTurn(() => {
        if (this.leavesRest) {
          // The client has the whole answer when its last byte has arrived; only `end` closes the connection.
          this.flushHeaders();
          if (length > 0) this.write(whole);
          discardRest(this.req, () => super.end());
        } else if (isLarge) void this.endInParts(typeof whole === 'string' ? Buffer.from(whole) : (whole as Buffer));
        else if (isAscii) super.end(whole, 'latin1');
        else super.end(...(body as []));
      });
      return this;
    }

    /** Cuts the connection of a client that reads too slowly when others need the room. */
    countUnsent(length: number): void {
      if (this.destroyed) return;
      const answer = unsent.begin(this.req.peer.network, () => this.req.socket.destroy());
      this.once('close', answer.end);
      answer.grow(length);
    }

    /**
     * If more than the socket's high-water mark waits to be sent when the headers of the next request arrive, Node pauses its parser. But a
     * TLS connection passes on all records that it has received, and the paused parser refuses them as broken (HPE_PAUSED; Node 22 to 26).
     */
    async endInParts(body: Buffer): Promise<void> {
      for (let at = 0; at < body.length; at += LARGEST_PART) {
        if (this.destroyed) return;
        await new Promise((written) => this.write(body.subarray(at, at + LARGEST_PART), written));
      }
      super.end();
    }
  }

  Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  app.request = ExpressRequest.prototype as never;
  app.response = ExpressResponse.prototype as never;
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

let waiting: (() => void)[] = [];

function atEndOfTurn(send: () => void): void {
  if (waiting.length === 0) setImmediate(sendAll);
  waiting.push(send);
}

function sendAll(): void {
  const sends = waiting;
  waiting = [];
  for (const send of sends) send();
}

/** True if the rest of the body is longer than is ever read, or if its length, or whether there is any, is unknown. */
function hasLargeRest({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  if (headers.expect !== undefined) return true;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > LARGEST_BODY;
}

/**
 * Keeps reading without storing anything, then calls `done`: at the end of the request, or when it takes too long or is too large. If a
 * connection is closed while its client is still sending, it is reset, and the reset can overtake the answer: RFC 9112, 9.6.
 */
function discardRest(request: IncomingMessage, done: () => void): void {
  let length = 0;
  let pieces = 0;
  const stop = () => {
    clearTimeout(deadline);
    request.off('data', count).off('end', stop).off('close', stop);
    // Otherwise, everything that has arrived would be read until the connection is closed, which can be thousands of chunks.
    request.socket.pause();
    done();
  };
  const count = (chunk: Buffer) => {
    length += chunk.length;
    if (length > LARGEST_REST || ++pieces > MOST_PIECES) stop();
  };
  const deadline = setTimeout(stop, LONGEST_WAIT);
  request.on('data', count).on('end', stop).on('close', stop).resume();
}
