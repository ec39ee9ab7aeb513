import { IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';
import { EVERY_ANSWER } from '../transports/answer.ts';
import { BytesInFlight } from '../transports/bytes-in-flight.ts';

/** Bytes that are passed to the socket at once: fewer than its high-water mark. */
const LARGEST_PART = 32 * 1024;
const LAST_ANSWER = { ...EVERY_ANSWER, Connection: 'close' };
/** Larger answers that are not sent yet. Smaller ones are limited by the number of connections, because each holds only one. */
const unsent = new BytesInFlight(32 * 1024 * 1024);

/**
 * Request and response classes for `createServer`, for use with an app. If a connection is to end (`isClosing`), its answers contain
 * `Connection: close`. `takePiece` is called for each piece of a body.
 *
 * Express sets the prototype of every request and response to its own, after which V8 treats each as a new kind of object. If they are
 * created with that prototype, they stay fast, and Express's assignment changes nothing.
 */
export function expressMessages(app: Express, isClosing: (socket: Socket) => boolean, takePiece = () => {}) {
  class ExpressRequest extends IncomingMessage {
    /** Called by Node's parser with each piece of a body, and null behind the last. */
    override push(piece: unknown, encoding?: BufferEncoding): boolean {
      takePiece();
      return super.push(piece, encoding);
    }
  }

  class ExpressResponse extends ServerResponse {
    /** Express would make it an object without a prototype, which V8 keeps as a hash table. */
    readonly locals = {};
    /**
     * Set before `writeHead`. Node would keep them as such a table, with all that `writeHead` adds: 5 % of a read over SOAP. Not private,
     * because an app that is served twice has two such classes in its prototypes.
     */
    readonly earlyHeaders: OutgoingHttpHeaders = {};

    override setHeader(name: string, value: OutgoingHttpHeader): this {
      this.earlyHeaders[name] = value as string;
      return this;
    }

    override getHeader(name: string): OutgoingHttpHeader | undefined {
      return this.earlyHeaders[name];
    }

    override writeHead(status: number, headers?: unknown): this {
      // Behind a request to upgrade, Node's parser drops the rest of what arrived with it. Nothing is lost without a word if this is the end.
      const isLast = this.req.headers.upgrade !== undefined || isClosing(this.req.socket);
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
      if (isLarge) this.#countUnsent(length);
      // Node writes it by itself only to clients of HTTP/1.1, and closes the connection of others.
      if (length > 0 && !this.headersSent) this.setHeader('Content-Length', length);
      // A text with as many bytes as characters is ASCII, which Node sends faster as Latin-1: 6 % of a read.
      const isAscii = typeof whole === 'string' && length === whole.length;
      atEndOfTurn(() => {
        if (isLarge) void this.#endInParts(typeof whole === 'string' ? Buffer.from(whole) : (whole as Buffer));
        else if (isAscii) super.end(whole, 'latin1');
        else super.end(...(body as []));
      });
      return this;
    }

    /** Cuts the connection of a client that reads too slowly when others need the room. */
    #countUnsent(length: number): void {
      if (this.destroyed) return;
      const answer = unsent.begin(() => this.req.socket.destroy());
      this.once('close', answer.end);
      answer.grow(length);
    }

    /**
     * If more than the socket's high-water mark waits to be sent when the headers of the next request arrive, Node pauses its parser. But a
     * TLS connection passes on all records that it has received, and the paused parser refuses them as broken (HPE_PAUSED; Node 22 to 26).
     */
    async #endInParts(body: Buffer): Promise<void> {
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
