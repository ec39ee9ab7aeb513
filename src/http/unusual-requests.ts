import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { EVERY_ANSWER, TEXT } from '../transports/answer.ts';
import { FAULT_ANSWERS, type Fault, faultHeaders, faultOf } from '../transports/faults.ts';
import { correlationIdOf, newCorrelationId } from '../transports/request-ids.ts';
import { ServiceError } from '../vocabulary/errors.ts';
import { type BrokenError, encodedGet, readInstead } from './encode-address.ts';
import { type LimitedRequests, TOO_MANY_AT_ONCE } from './limit-requests.ts';

/** How long a client that sent a broken request may take to read the answer. */
const CLOSING_TIME_MS = 1000;

/** Counts and logs a request that no endpoint serves. The fault is another one if its sender exceeds the rate. */
export type Refuse = (request: IncomingMessage, error: ServiceError) => Fault;

/** For a server without a log. */
export const refuseUnrecorded: Refuse = (request, error) => faultOf(error, correlationIdOf(request, newCorrelationId));

/** Why a request that reaches no endpoint is refused. */
interface Rejection {
  readonly status: number;
  readonly error: ServiceError;
}

const rejection = (status: number, ...error: ConstructorParameters<typeof ServiceError>): Rejection => ({
  status,
  error: new ServiceError(...error),
});
const malformed = (message: string, status = 400, reason = 'http') =>
  rejection(status, 'Malformed', message, { reason });

/** More than any program and all proxies in front send together. */
const MOST_HEADERS = 100;
const MANY_HEADERS = `The request has over ${MOST_HEADERS} headers, or they are larger than 16 KiB.`;
const NOT_HTTP = malformed('The request is not valid HTTP/1.1.');
const PROXIED = malformed(
  'The connection begins with the PROXY protocol; expected HTTP, with the caller in X-Forwarded-For.',
  400,
  'PROXY protocol',
);
/** Source: HAProxy, "The PROXY protocol", 2.1 and 2.2. */
const PROXY_PROTOCOL = /^(?:PROXY |\r\n\r\n\0\r\nQUIT\n)/;
const BROKEN_REQUESTS: Readonly<Record<string, Rejection>> = {
  HPE_HEADER_OVERFLOW: rejection(431, 'TooLarge', MANY_HEADERS, { reason: 'headers' }),
  HPE_INVALID_URL: malformed(
    'The address in the request line may contain only ASCII without spaces; other characters must be percent-encoded.',
  ),
  ERR_HTTP_REQUEST_TIMEOUT: malformed('The request did not arrive in time.', 408),
  [TOO_MANY_AT_ONCE]: rejection(429, 'TooManyRequests', 'Too many requests are arriving, or are unanswered.', {
    reason: 'too many at once',
  }),
};

/**
 * Answers, in one sentence, the requests that Node's HTTP parser refuses and those that Node does not pass to the app by default. What an
 * endpoint still has to answer on the connection comes first. Node closes the connection of a CONNECT by itself.
 */
export function answerUnusualRequests(
  server: Server,
  requests: Pick<LimitedRequests, 'latestAnswer' | 'withdrawLatest'>,
  refuse: Refuse,
): void {
  server.maxHeadersCount = MOST_HEADERS;
  const answered = new WeakSet<Socket>();
  server.on('clientError', (error: BrokenError, socket: Socket) => {
    // Anything received after the broken request is broken too.
    if (answered.has(socket)) return;
    answered.add(socket);
    // With the last byte of its client, Node would end a connection on which it knows of no answer to wait for.
    socket.removeAllListeners('end');
    // An endpoint may have refused the request in this turn, before the rest proved to be broken.
    setImmediate(() => answerBroken(server, error, socket, requests, refuse));
  });
  // An expectation other than 100-continue may be ignored: RFC 9110, 10.1.1.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  // The code that reads the body sends 100 Continue, so that a body refused for its length or type need not be sent.
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
}

function answerBroken(
  server: Server,
  error: BrokenError,
  socket: Socket,
  requests: Pick<LimitedRequests, 'latestAnswer' | 'withdrawLatest'>,
  refuse: Refuse,
): void {
  // To the latest request whose headers were not broken.
  const latest = requests.latestAnswer(socket);
  const { code = '', rawPacket } = error;
  // Failures of the connection cannot be answered, and are no requests.
  if (!/^(?:HPE_|ERR_HTTP_)/.test(code)) {
    socket.destroy();
    return;
  }
  const isIncomplete = latest?.req.complete === false;
  if (isIncomplete && latest.headersSent) {
    // The request was refused before it was complete. What this turn has to send is sent first.
    setImmediate(() => closeGently(socket));
    return;
  }
  const encoded = encodedGet(error);
  if (encoded !== undefined) {
    afterAnswer(latest, () => readInstead(server, socket, encoded, closeGently));
    return;
  }
  const isProxied = latest === undefined && PROXY_PROTOCOL.test(rawPacket?.toString('latin1', 0, 12) ?? '');
  const broken = isProxied ? PROXIED : (BROKEN_REQUESTS[code] ?? NOT_HTTP);
  // Nothing of it was read but its connection. Behind a trusted proxy, it is nobody's that is known, and must not count as the proxy's own.
  const unread = { socket, headers: { 'x-forwarded-for': '0.0.0.0' } };
  const answer = answerTo(broken, refuse(unread as unknown as IncomingMessage, broken.error));
  // Nothing more is read until the answer before it is sent; while the connection is closed, reading goes on.
  socket.pause();
  afterAnswer(isIncomplete ? requests.withdrawLatest(socket) : latest, () => answerAndClose(socket.resume(), answer));
}

/** Calls a function at once, or as soon as an answer that is not finished has been sent, so that it is not confused with another. */
function afterAnswer(latest: ServerResponse | undefined, then: () => void): void {
  if (latest === undefined || latest.writableFinished) then();
  else latest.once('close', then);
}

/** An answer to a request that reaches no endpoint. */
interface ShortAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | number>>;
}

function answerTo({ status, error }: Rejection, fault: Fault): ShortAnswer {
  const isOther = fault.code !== error.code;
  const headers = {
    ...faultHeaders(fault),
    Connection: 'close',
    'Content-Type': TEXT,
    'Content-Length': fault.message.length,
  };
  return { status: isOther ? FAULT_ANSWERS[fault.code].status : status, text: fault.message, headers };
}

function answerAndClose(socket: Socket, { status, text, headers }: ShortAnswer): void {
  const lines = Object.entries({ ...EVERY_ANSWER, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  closeGently(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`);
}

/** Sends what is left, and closes. Closing while the client is sending would cause a reset, which loses the answer: RFC 9112, 9.6. */
function closeGently(socket: Socket, last = ''): void {
  if (!socket.writable) return void socket.destroy();
  socket.end(last);
  const cut = setTimeout(() => socket.destroy(), CLOSING_TIME_MS);
  socket.once('close', () => clearTimeout(cut));
}

/** If there are several of them, Node uses the first. A proxy that looked at a different one would have let in somebody else. */
const SINGLE_HEADERS = ['Host', 'Authorization'] as const;

/**
 * Why the headers of a request are refused; undefined if they are not. Source: RFC 9112, 2.3, 3.2 and 6.1. Node's own answer has neither
 * text nor length.
 */
function mistakeInHeaders({ headers, rawHeaders, httpVersion }: IncomingMessage): Rejection | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return malformed('The supported versions of HTTP are 1.1 and 1.0.', 505);
  }
  if (headers.host === undefined && httpVersion === '1.1') return malformed('The Host header is missing.');
  // Node removes the chunking and would pass on the rest as if it were the body. It refuses any other coding itself.
  const coding = headers['transfer-encoding'];
  // A proxy that speaks this version takes what follows for another request.
  if (coding !== undefined && httpVersion === '1.0') return malformed('HTTP/1.0 has no Transfer-Encoding.');
  if (coding !== undefined && /,\s*chunked$/i.test(coding)) {
    return malformed('The only supported Transfer-Encoding is chunked.', 501);
  }
  const repeated = SINGLE_HEADERS.find((name) => timesGiven(name.toLowerCase(), rawHeaders) > 1);
  return repeated && malformed(`The header ${repeated} is given twice.`);
}

/** `rawHeaders` has each name before its value. Asking for `headersDistinct` would make a table of all of them. */
function timesGiven(name: string, rawHeaders: readonly string[]): number {
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const text = rawHeaders[at] as string;
    if (text.length === name.length && text.toLowerCase() === name) times++;
  }
  return times;
}

/** A target with scheme and host says which host the request is for, whatever its Host header does. Source: RFC 9112, 3.2.2. */
export function useTarget(request: IncomingMessage): void {
  const [, host, rest = ''] = /^[a-z][a-z\d+.-]*:\/\/([^/?#]+)(.*)$/is.exec(request.url ?? '') ?? [];
  if (host === undefined) return;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  request.headers.host = host;
}

/** Whether a request is refused for a mistake in its headers. If so, it has been answered. */
export function refuseRequest(request: IncomingMessage, response: ServerResponse, refuse: Refuse): boolean {
  const mistake = mistakeInHeaders(request);
  if (mistake === undefined) return false;
  const { status, text, headers } = answerTo(mistake, refuse(request, mistake.error));
  response.writeHead(status, headers).end(text);
  return true;
}
