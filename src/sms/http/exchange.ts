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
  const signal = AbortSignal.timeout(timeoutMs);
  const sent = (isSecure ? httpsRequest : httpRequest)(url, { method, agent: false, headers, signal });
  let isReached = false;
  let interim = 0;
  const countInterim = () => ++interim > MOST_INTERIM && sent.destroy();
  sent.once('socket', (socket) => {
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      isReached = true;
    });
  });
  // The first error is caught below.
  sent
    .on('information', countInterim)
    .on('continue', countInterim)
    .on('error', () => {});
  try {
    sent.end(body);
    // By the signal, too: an answer that begins another protocol ends the connection without an error.
    const [response]: IncomingMessage[] = await once(sent, 'response', { signal });
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
    const { code } = error as NodeJS.ErrnoException;
    return {
      kind: isReached ? 'unknown' : 'unavailable',
      code: signal.aborted ? 'timeout' : (harmlessCode(code) ?? 'closed'),
    };
  } finally {
    sent.destroy();
  }
}
