import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { EVERY_ANSWER } from '../transports/answer.ts';
import { type LimitedRequests, TOO_MANY_UNANSWERED } from './limit-requests.ts';

/** How long a client that sent a broken request may take to read the answer. */
const CLOSING_TIME_MS = 1000;

const BROKEN_REQUEST_STATUS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  [TOO_MANY_UNANSWERED]: '429 Too Many Requests',
};

/** Requests that Node's HTTP parser refuses reach no endpoint. They are answered here, in one sentence. */
export function answerBrokenRequests(server: Server, latestAnswer: LimitedRequests['latestAnswer']): void {
  const answered = new WeakSet<Socket>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Anything received after the broken request is broken too.
    if (answered.has(socket)) return;
    answered.add(socket);
    // What an endpoint answers in this turn comes first: it may have refused the request before the rest proved to be broken.
    setImmediate(() => answerBroken(error.code ?? '', socket, latestAnswer(socket)));
  });
}

/** `latest` is the answer to the latest request whose headers were not broken. */
function answerBroken(code: string, socket: Socket, latest: ServerResponse | undefined): void {
  const status = BROKEN_REQUEST_STATUS[code] ?? '400 Bad Request';
  const isBeingAnswered = latest !== undefined && !latest.writableFinished;
  // Failures before TLS is established cannot be answered.
  if (/^(?:ECONNRESET$|ERR_SSL_|ERR_TLS_)/.test(code)) socket.destroy();
  else if (isBeingAnswered && latest.req.complete) {
    // That answer must not be confused with this one. Nothing more is read until it is sent; while the connection is closed, reading goes on.
    socket.pause();
    latest.once('close', () => answerAndClose(socket.resume(), status));
  } else if (isBeingAnswered && latest.headersSent) {
    // The request was refused before it was complete. What this turn has to send is sent first.
    setImmediate(() => closeGently(socket));
  } else answerAndClose(socket, status);
}

function answerAndClose(socket: Duplex, status: string, headers: Readonly<Record<string, string>> = {}): void {
  const body = `${status.slice(4)}.`;
  const lines = Object.entries({
    Connection: 'close',
    ...EVERY_ANSWER,
    ...headers,
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': body.length,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  closeGently(socket, `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`);
}

/**
 * Sends what is left, and closes. Closing immediately while the client is sending would cause a reset, which loses the answer: RFC 9112,
 * 9.6.
 */
function closeGently(socket: Duplex, last = ''): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(last);
  const cut = setTimeout(() => socket.destroy(), CLOSING_TIME_MS);
  socket.once('close', () => clearTimeout(cut));
}

/** If there are several of them, Node uses the first. A proxy that looked at a different one would have let in somebody else. */
const SINGLE_HEADERS = ['Host', 'Authorization'] as const;

interface HeaderMistake {
  readonly status: 400 | 501 | 505;
  /** For the sender. */
  readonly text: string;
}

/**
 * What is wrong with the headers of a request; undefined if nothing is. Source: RFC 9112, 2.3, 3.2 and 6.1. Node's own answer has neither
 * text nor length.
 */
export function mistakeInHeaders({ headers, rawHeaders, httpVersion }: IncomingMessage): HeaderMistake | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return { status: 505, text: 'The supported versions of HTTP are 1.1 and 1.0.' };
  }
  if (headers.host === undefined && httpVersion === '1.1') return { status: 400, text: 'The Host header is missing.' };
  // Node removes the chunking and would pass on the rest as if it were the body. It refuses any other coding itself.
  const coding = headers['transfer-encoding'];
  // A proxy that speaks this version takes what follows for another request.
  if (coding !== undefined && httpVersion === '1.0') {
    return { status: 400, text: 'HTTP/1.0 has no Transfer-Encoding.' };
  }
  if (coding !== undefined && /,\s*chunked$/i.test(coding)) {
    return { status: 501, text: 'The only supported Transfer-Encoding is chunked.' };
  }
  const repeated = SINGLE_HEADERS.find((name) => isRepeated(name.toLowerCase(), rawHeaders));
  return repeated && { status: 400, text: `The header ${repeated} is given twice.` };
}

/** `rawHeaders`: names and values in turn, as Node has them. */
function isRepeated(name: string, rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at] as string;
    if (header.length === name.length && header.toLowerCase() === name) count++;
  }
  return count > 1;
}

export function refuseHeaders(response: ServerResponse, { status, text }: HeaderMistake): void {
  response.writeHead(status, {
    Connection: 'close',
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': text.length,
  });
  response.end(text);
}

/** Requests that Node does not pass to the app by default. */
export function answerUnusualRequests(server: Server): void {
  server.on('connect', (_request, socket) => answerAndClose(socket, '405 Method Not Allowed', { Allow: 'GET, POST' }));
  // An expectation other than 100-continue may be ignored: RFC 9110, 10.1.1.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  // The code that reads the body sends 100 Continue, so that a body refused for its length or type need not be sent.
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
}
