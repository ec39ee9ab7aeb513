import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { harmlessCode, type SendOutcome } from '../gateway.ts';
import type { GatewayRequest } from './http-request.ts';
import type { GatewayAnswer } from './provider-reports.ts';

/** Interim answers (1xx) accepted before the final one. No gateway needs any. */
const MOST_INTERIM = 10;
/** Number of bytes of an answer that are read. */
const LARGEST_ANSWER = 64 * 1024;

/**
 * Sends a request over a connection of its own: on a reused connection, a request that the other end never read cannot be distinguished
 * from one that it processed. Redirections are not followed. `timeoutMs` is for all of it. Never rejects: without a complete answer, the
 * outcome is `unavailable` if not a single byte of the request was sent, otherwise `unknown`, with a code of Node's or of ours.
 */
export async function exchange(
  { url, method, headers, body }: GatewayRequest,
  timeoutMs: number,
): Promise<GatewayAnswer | SendOutcome> {
  const isSecure = url.protocol === 'https:';
  const sent = (isSecure ? httpsRequest : httpRequest)(url, { method, agent: false, headers });
  let code: string | undefined;
  let isReached = false;
  let interim = 0;
  const ended = new AbortController();
  const end = (reason: string): void => {
    code = reason;
    // A request whose answer begins another protocol reports no error.
    ended.abort();
    sent.destroy(new Error(reason));
  };
  const countInterim = () => ++interim > MOST_INTERIM && end('interim-answers');
  const deadline = setTimeout(end, timeoutMs, 'timeout');
  sent.on('socket', (socket) => {
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      isReached = true;
    });
  });
  // The first error is caught below.
  sent
    .on('information', countInterim)
    .on('continue', countInterim)
    .on('upgrade', (_response, socket) => {
      socket.destroy();
      end('upgraded');
    })
    .on('error', () => {});
  try {
    const answered = once(sent, 'response', { signal: ended.signal });
    sent.end(body);
    const [response]: IncomingMessage[] = await answered;
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of response ?? []) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= LARGEST_ANSWER) break;
    }
    const text = Buffer.concat(chunks).subarray(0, LARGEST_ANSWER).toString('utf8');
    return { status: response?.statusCode ?? 0, body: text };
  } catch (error) {
    code ??= harmlessCode((error as NodeJS.ErrnoException).code) ?? 'closed';
    return { kind: isReached ? 'unknown' : 'unavailable', code };
  } finally {
    clearTimeout(deadline);
    sent.destroy();
  }
}
