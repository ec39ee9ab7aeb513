import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { harmlessCode } from '../gateway.ts';
import type { GatewayAnswer } from './http-answer.ts';
import type { GatewayRequest } from './http-request.ts';

/** The result of a request. Codes are Node's, such as ECONNREFUSED, or `timeout`, `cut` and `closed`. */
export type Exchange =
  | { readonly kind: 'answered'; readonly answer: GatewayAnswer }
  /** Not a single byte of it was sent. */
  | { readonly kind: 'unreached'; readonly code: string }
  /** It was sent, but no complete answer was received. */
  | { readonly kind: 'lost'; readonly code: string };

/** Interim answers (1xx) accepted before the final one. No gateway needs any. */
const MOST_INTERIM = 10;
/** Number of bytes of an answer that are read. */
const LARGEST_ANSWER = 64 * 1024;

/**
 * Sends a request over a connection of its own: on a reused connection, a request that the other end never read cannot be distinguished
 * from one that it processed. Redirections are not followed. `timeoutMs` is for all of it. Never rejects.
 */
export function exchange(request: GatewayRequest, timeoutMs: number): Promise<Exchange> {
  return new Promise((resolve) => {
    let reached = false;
    const { url, method, headers, body } = request;
    const secure = url.protocol === 'https:';
    const sent = (secure ? httpsRequest : httpRequest)(url, {
      method,
      agent: false,
      headers: { ...headers, ...(body === undefined ? {} : { 'Content-Length': body.length }) },
    });
    const finish = (outcome: Exchange) => {
      clearTimeout(deadline);
      resolve(outcome);
      sent.destroy();
    };
    const fail = (code: string) => finish(reached ? { kind: 'lost', code } : { kind: 'unreached', code });
    const deadline = setTimeout(() => fail('timeout'), timeoutMs);
    sent.on('socket', (socket) => {
      socket.once(secure ? 'secureConnect' : 'connect', () => {
        reached = true;
      });
    });
    sent.on('error', (error: NodeJS.ErrnoException) => fail(harmlessCode(error.code) ?? 'closed'));
    let interim = 0;
    const countInterim = () => {
      if (++interim > MOST_INTERIM) fail('interim-answers');
    };
    sent.on('information', countInterim).on('continue', countInterim);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      const answer = () =>
        finish({
          kind: 'answered',
          answer: {
            status: response.statusCode ?? 0,
            body: Buffer.concat(chunks).subarray(0, LARGEST_ANSWER).toString('utf8'),
          },
        });
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length >= LARGEST_ANSWER) answer();
      });
      response.on('end', answer);
      response.on('error', () => fail('cut'));
    });
    sent.end(body);
  });
}
