import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Express } from 'express';
import type { LineWriter } from '../transports/answer.ts';
import { EVERY_ANSWER, EVERY_ANSWER_LINES } from '../transports/every-answer.ts';

/** The method with which Node writes the head of an answer. Not in its documentation. */
const { _storeHeader: storeHeader } = ServerResponse.prototype as unknown as {
  _storeHeader(this: ServerResponse, firstLine: string, headers: unknown): void;
};

/**
 * Request and response classes for `createServer`, for use with an app. While the server is closing (`isClosing`), answers contain
 * `Connection: close`.
 *
 * Express sets the prototype of every request and response to its own, after which V8 treats each as a new kind of object. If they are
 * created with that prototype, they stay fast, and Express's assignment changes nothing.
 */
export function expressMessages(app: Express, isClosing: () => boolean) {
  class ExpressRequest extends IncomingMessage {}

  class ExpressResponse extends ServerResponse implements LineWriter {
    /** Header lines that are sent without Node's checks. */
    #lines = EVERY_ANSWER_LINES;

    override writeHead(status: number, headers?: unknown): this {
      if (isClosing()) this.shouldKeepAlive = false;
      const given = headers as OutgoingHttpHeaders | undefined;
      // A page has its own policy, which replaces the one of every answer.
      if (given?.['Content-Security-Policy'] === undefined) return super.writeHead(status, given);
      this.#lines = '';
      return super.writeHead(status, { ...EVERY_ANSWER, ...given });
    }

    writeLines(status: number, lines: string, length: number): void {
      this.#lines += lines;
      this.writeHead(status, { 'Content-Length': length });
    }

    /** Adds the header lines to the text of the head, after Node's checks: they are constants or have been checked already. */
    _storeHeader(firstLine: string, headers: unknown): void {
      storeHeader.call(this as unknown as ServerResponse, firstLine + this.#lines, headers);
    }

    /**
     * Sets status and headers immediately, but sends the answer together with all others of this turn of the event loop. An answer sent
     * between two calls wakes its client separately, which costs the kernel more than the sending.
     */
    override end(body?: unknown, ...rest: unknown[]): this {
      if (!this.headersSent) {
        // Without a length, Node would announce chunked encoding, because it writes the head before it gets the body.
        if (!this.hasHeader('Content-Length')) this.setHeader('Content-Length', lengthOf(body, rest[0]));
        this.writeHead(this.statusCode);
      }
      atEndOfTurn(() => super.end(body, ...(rest as [])));
      return this;
    }
  }

  Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  app.request = ExpressRequest.prototype as never;
  app.response = ExpressResponse.prototype as never;
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

/** The length of a body in bytes. `encoding` is that of a text, by default UTF-8. */
function lengthOf(body: unknown, encoding: unknown): number {
  if (typeof body === 'string') return Buffer.byteLength(body, encoding as BufferEncoding | undefined);
  return body instanceof Uint8Array ? body.length : 0;
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
