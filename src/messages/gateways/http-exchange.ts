import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, Agent as TlsAgent } from 'node:https';
import { brotliDecompressSync, constants, inflateRawSync, unzipSync, zstdDecompressSync } from 'node:zlib';
import { decodeLeniently } from '../../vocabulary/decode-text.ts';
import { isLoopback } from '../../vocabulary/ip-address.ts';
import type { Machine } from '../../vocabulary/machine.ts';
import { connectionCode, type GatewayDependencies, type SendFate } from './gateway.ts';
import type { GatewayRequest } from './http-request.ts';

export interface GatewayAnswer {
  readonly status: number;
  /** The beginning of the body, up to 64 KiB. */
  readonly body: string;
  /** Of an answer that could not be read to its end: the fate of the message, unless the body says that it was submitted. */
  readonly otherwise?: SendFate;
}

/** Interim answers (1xx) accepted before the final one. No gateway needs any. */
const MOST_INTERIM = 10;
/** Number of bytes of an answer that are read. */
const LARGEST_ANSWER = 64 * 1024;
/** Number of bytes that one may be unpacked to. */
const LARGEST_UNPACKED = 1024 * 1024;
/** Number of bytes of an answer's head, of which Node reads 16 KiB by default. */
const LARGEST_HEAD = 64 * 1024;

/**
 * Sends a request over a connection of its own: on a reused connection, a request that the other end never read cannot be distinguished
 * from one that it processed. Redirections are not followed. `timeoutMs` is for all of it. Never rejects: without an answer, the fate is
 * `unavailable` if not a single byte of the request was sent, otherwise `unknown`, with a code of Node's or of ours. The answer is read as
 * leniently as possible, because one that cannot be read makes the message be sent again; a connection that carries nothing else cannot be
 * abused by it.
 */
export async function sendRequest(
  request: GatewayRequest,
  timeoutMs: number,
  { environment, maySubmit }: Pick<GatewayDependencies, 'environment' | 'maySubmit'>,
): Promise<GatewayAnswer | SendFate> {
  const { url, method, body } = request;
  const isSecure = url.protocol === 'https:';
  const signal = AbortSignal.timeout(timeoutMs);
  const headers = { 'Accept-Encoding': 'identity', ...request.headers };
  const leniency = { insecureHTTPParser: true, maxHeaderSize: LARGEST_HEAD };
  const agent = agentFor(url, timeoutMs, environment);
  const sent = (isSecure ? httpsRequest : httpRequest)(url, { method, agent, headers, signal, ...leniency });
  let isReached = false;
  let interim = 0;
  let failure: (NodeJS.ErrnoException & { readonly rawPacket?: Buffer }) | undefined;
  const countInterim = () => ++interim > MOST_INTERIM && sent.destroy();
  sent.once('socket', (socket) => {
    const reached = () => {
      if (maySubmit()) isReached = true;
      else sent.destroy();
    };
    // Through a web proxy, TLS is established before the request gets its socket.
    if (socket.connecting) socket.once(isSecure ? 'secureConnect' : 'connect', reached);
    else reached();
  });
  sent
    .on('information', countInterim)
    .on('continue', countInterim)
    .on('error', (error) => {
      failure ??= error;
    });
  let response: IncomingMessage | undefined;
  const chunks: Buffer[] = [];
  try {
    sent.end(body);
    // By the signal, too: an answer that begins another protocol ends the connection without an error.
    [response] = await once(sent, 'response', { signal });
    let length = 0;
    for await (const chunk of response ?? []) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= LARGEST_ANSWER) break;
    }
    return answerOf(response, chunks);
  } catch (error) {
    const code = !signal.aborted ? connectionCode(failure ?? error) : isReached ? 'timeout' : 'ETIMEDOUT';
    if (!isReached) return { kind: 'unavailable', code };
    const otherwise = { kind: code.startsWith('HPE_') ? 'not-understood' : 'unknown', code } as const;
    const begun = chunks.length > 0 ? answerOf(response, chunks) : unreadableAnswer(failure?.rawPacket);
    return begun === undefined ? otherwise : { ...begun, otherwise };
  } finally {
    sent.destroy();
  }
}

/** For one request. It uses the web proxy that HTTPS_PROXY or HTTP_PROXY names, if NO_PROXY does not except the host. */
function agentFor({ protocol, hostname }: URL, timeout: number, environment: Machine['environment']): Agent {
  const proxyEnv = isLoopback(hostname) ? undefined : environment;
  return new (protocol === 'https:' ? TlsAgent : Agent)({ keepAlive: false, timeout, proxyEnv });
}

function answerOf(response: Pick<IncomingMessage, 'statusCode' | 'headers'> | undefined, chunks: readonly Buffer[]) {
  const { statusCode: status = 0, headers } = response ?? { headers: {} };
  const bytes = Buffer.concat(chunks).subarray(0, LARGEST_ANSWER);
  const text = decodeLeniently(unpacked(bytes, headers['content-encoding']), headers['content-type']);
  return { status, body: text.slice(0, LARGEST_ANSWER) };
}

/** What Node could not read of an answer, of which not more may have arrived: its status, and what follows the first empty line. */
function unreadableAnswer(packet: Buffer | undefined): GatewayAnswer | undefined {
  const [, status, body = ''] = /^\S+ +(\d{3})\b.*?\r?\n\r?\n(.*)$/s.exec(packet?.toString('latin1') ?? '') ?? [];
  if (status === undefined) return undefined;
  return answerOf({ statusCode: Number(status), headers: {} }, [Buffer.from(body, 'latin1')]);
}

const limit = { maxOutputLength: LARGEST_UNPACKED };
const zlibLimit = { ...limit, finishFlush: constants.Z_SYNC_FLUSH };
const brotliLimit = { ...limit, finishFlush: constants.BROTLI_OPERATION_FLUSH };

/** As they are if they cannot be unpacked. What is packed may end early. */
function unpacked(bytes: Buffer, coding = ''): Buffer {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  try {
    if (isGzip) return unzipSync(bytes, zlibLimit);
    if (coding === 'br') return brotliDecompressSync(bytes, brotliLimit);
    if (coding === 'zstd') return zstdDecompressSync(bytes, limit);
    // Some servers leave out the header of zlib's format.
    if (coding === 'deflate')
      return ((bytes[0] ?? 0) & 15) === 8 ? unzipSync(bytes, zlibLimit) : inflateRawSync(bytes, zlibLimit);
    return bytes;
  } catch {
    return bytes;
  }
}
