import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Express } from 'express';
import { EVERY_ANSWER } from '../transports/every-answer.ts';

/**
 * Request and response classes for `createServer`, made for an app. While the server closes (`isClosing`), answers say `Connection: close`.
 *
 * Express sets the prototype of every request and response to its own; V8 then treats each as a new kind of object. Created
 * with that prototype, they stay fast, and Express's assignment changes nothing.
 */
export function expressMessages(app: Express, isClosing: () => boolean) {
  class ExpressRequest extends IncomingMessage {}

  class ExpressResponse extends ServerResponse {
    /** Adds the headers that every answer has. If Node gets all headers at once, and none earlier, it writes them as they are. */
    override writeHead(status: number, headers?: unknown): this {
      if (isClosing()) this.shouldKeepAlive = false;
      return super.writeHead(status, { ...EVERY_ANSWER, ...(headers as OutgoingHttpHeaders) });
    }

    /**
     * Sets status and headers at once, and sends the answer with all others of this turn of the event loop. An answer
     * sent between two calls wakes its client separately, which costs the kernel more than the sending.
     */
    override end(body?: unknown, ...rest: unknown[]): this {
      // Node concatenates a string and the headers before it encodes them, which takes three times as long as this.
      const bytes = typeof body === 'string' ? Buffer.from(body, rest[0] as BufferEncoding | undefined) : body;
      if (!this.headersSent) {
        // Without it, headers that are sent before the end announce chunked encoding.
        if (!this.hasHeader('Content-Length')) {
          this.setHeader('Content-Length', bytes instanceof Uint8Array ? bytes.length : 0);
        }
        this.writeHead(this.statusCode);
      }
      atEndOfTurn(() => super.end(bytes, ...(rest as [])));
      return this;
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
