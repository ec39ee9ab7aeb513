import { type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Express, Response } from 'express';
import { EVERY_ANSWER } from '../transports/answer.ts';
import { BytesInFlight } from '../transports/bytes-in-flight.ts';

/** Bytes that are passed to the socket at once: fewer than its high-water mark. */
const LARGEST_PART = 32 * 1024;
const LAST_ANSWER = { ...EVERY_ANSWER, Connection: 'close' };
/** Larger answers that are not sent yet. Smaller ones are limited by the number of connections, because each holds only one. */
const unsent = new BytesInFlight(32 * 1024 * 1024);
const { writeHead, end } = ServerResponse.prototype;

/**
 * Gives every answer of an app the headers that all have, and sends it together with all others of this turn of the event loop: an answer sent
 * between two calls wakes its client separately, which costs the kernel more than the sending. The last answer of a connection contains
 * `Connection: close`: if the connection is to end (`isClosing`), or after a request to upgrade, because Node's parser drops what arrived
 * with it, and nothing must be lost without a word.
 */
export function prepareAnswers({ response }: Express, isClosing: (socket: Socket) => boolean): void {
  Object.assign(response, {
    writeHead(this: Response, status: number, headers?: OutgoingHttpHeaders) {
      const isLast = this.req.headers.upgrade !== undefined || isClosing(this.req.socket);
      return writeHead.call(this, status, { ...(isLast ? LAST_ANSWER : EVERY_ANSWER), ...headers });
    },
    end(this: Response, ...body: unknown[]) {
      const [whole] = body;
      const isLarge = (typeof whole === 'string' || Buffer.isBuffer(whole)) && whole.length > LARGEST_PART;
      if (isLarge) countUnsent(this, whole.length);
      // A text with as many bytes as characters is ASCII, which Node sends faster as Latin-1: 6 % of a read.
      else if (body.length === 1 && typeof whole === 'string' && Buffer.byteLength(whole) === whole.length)
        body[1] = 'latin1';
      atEndOfTurn(() => {
        if (isLarge) void endInParts(this, Buffer.from(whole as string));
        else end.apply(this, body as never);
      });
      return this;
    },
  });
}

/** Cuts the connection of a client that reads too slowly when others need the room. */
function countUnsent(response: Response, length: number): void {
  if (response.destroyed) return;
  const answer = unsent.begin(() => response.req.socket.destroy());
  response.once('close', answer.end);
  answer.grow(length);
}

/**
 * If more than the socket's high-water mark waits to be sent when the headers of the next request arrive, Node pauses its parser. But a
 * TLS connection passes on all records that it has received, and the paused parser refuses them as broken (HPE_PAUSED; Node 22 to 26).
 */
async function endInParts(response: Response, body: Buffer): Promise<void> {
  if (!response.headersSent) response.setHeader('Content-Length', body.length);
  for (let at = 0; at < body.length; at += LARGEST_PART) {
    if (response.destroyed) return;
    await new Promise((written) => response.write(body.subarray(at, at + LARGEST_PART), written));
  }
  end.apply(response, [] as never);
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
