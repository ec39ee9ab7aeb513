import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';

/** How long a connection may take. Milliseconds. */
export interface ConnectionTimeouts {
  /** From the connection, or the first byte of a later request, to the end of the headers. */
  readonly headers: number;
  /** The same to the end of the body. */
  readonly request: number;
  /** Idle between two requests. */
  readonly keepAlive: number;
}

const DEFAULT_TIMEOUTS: ConnectionTimeouts = { headers: 10_000, request: 15_000, keepAlive: 65_000 };
/** How often connections are looked at, in milliseconds: a timeout can be late by that. */
const CHECKING_INTERVAL = 1000;
/** How long a client whose request was broken may take to read the answer, in milliseconds. */
const CLOSING_TIME = 1000;
/** Bytes. */
const LARGEST_HEADERS = 16 * 1024;
const MOST_CONNECTIONS = 10_000;
/** How long a stop waits for the requests in flight. */
const DRAIN_LIMIT = 8000;

export interface HttpServer {
  readonly port: number;
  /** Takes no more connections, lets the requests in flight finish, then closes; cuts what takes over 8 s. */
  close(): Promise<void>;
}

/** Listens; rejects if the address can't be had. */
export async function listen(
  app: Express,
  host: string,
  port: number,
  timeouts: ConnectionTimeouts = DEFAULT_TIMEOUTS,
): Promise<HttpServer> {
  const server = createServer(
    {
      ...bornForExpress(app),
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      keepAliveTimeout: timeouts.keepAlive,
      connectionsCheckingInterval: Math.min(CHECKING_INTERVAL, timeouts.headers),
      maxHeaderSize: LARGEST_HEADERS,
      requireHostHeader: false,
    },
    (request, response) => (isWithoutHost(request) ? refuseWithoutHost(response) : app(request, response)),
  );
  server.maxConnections = MOST_CONNECTIONS;
  answerBrokenRequests(server);
  answerUnusualRequests(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return { port: (server.address() as AddressInfo).port, close: () => drain(server) };
}

/**
 * Express sets the prototype of every request and response to its own; V8 then treats each as a new kind of object. Born
 * with that prototype, they stay fast, and Express's assignment changes nothing.
 */
function bornForExpress(app: Express) {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse extends ServerResponse {
    // Node puts a string and the headers together before it encodes them, which takes three times as long as this.
    override end(body?: unknown, ...rest: unknown[]): this {
      return super.end(typeof body === 'string' ? Buffer.from(body) : body, ...(rest as []));
    }
  }
  Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  app.request = ExpressRequest.prototype as never;
  app.response = ExpressResponse.prototype as never;
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

const BROKEN_REQUEST_STATUS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** What Node's HTTP parser refuses reaches no door; it is answered here, in one sentence. */
function answerBrokenRequests(server: Server): void {
  const latest = new WeakMap<Duplex, { readonly request: IncomingMessage; readonly response: ServerResponse }>();
  server.on('request', (request, response) => latest.set(request.socket, { request, response }));
  const answered = new WeakSet<Socket>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Whatever still comes after the broken request is broken too.
    if (answered.has(socket)) return;
    answered.add(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const status = BROKEN_REQUEST_STATUS[error.code ?? ''] ?? '400 Bad Request';
    const before = latest.get(socket);
    // A whole request that came before on this connection is still owed its answer, which must not be taken for this one.
    if (before?.request.complete && !before.response.writableFinished) {
      before.response.once('close', () => answerAndClose(socket, status));
    } else if (before?.response.headersSent && !before.response.writableFinished) {
      // Refused before it was whole, and answered already.
      closeGently(socket);
    } else answerAndClose(socket, status);
  });
}

/** As on every answer of the app. */
const EVERY_ANSWER = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
const EVERY_ANSWER_LINES = Object.entries(EVERY_ANSWER)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

function answerAndClose(socket: Duplex, status: string, headers = ''): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = `${status.slice(4)}.`;
  closeGently(
    socket,
    `HTTP/1.1 ${status}\r\nConnection: close\r\n${EVERY_ANSWER_LINES}${headers}Content-Type: text/plain; charset=utf-8\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
}

/** Sends what there is to send, and closes. At once, while the client sends, would be a reset, and the answer lost: RFC 9112, 9.6. */
function closeGently(socket: Duplex, last = ''): void {
  socket.end(last);
  const cut = setTimeout(() => socket.destroy(), CLOSING_TIME);
  socket.once('close', () => clearTimeout(cut));
}

// RFC 9112, 3.2. Node's own answer has no words and no length.
const isWithoutHost = ({ headers, httpVersion }: IncomingMessage) =>
  headers.host === undefined && httpVersion === '1.1';

function refuseWithoutHost(response: ServerResponse): void {
  const body = 'The Host header is missing.';
  response.writeHead(400, {
    ...EVERY_ANSWER,
    Connection: 'close',
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': body.length,
  });
  response.end(body);
}

/** What Node keeps from the app unless it is asked. */
function answerUnusualRequests(server: Server): void {
  server.on('connect', (_request, socket) => answerAndClose(socket, '405 Method Not Allowed', 'Allow: GET, POST\r\n'));
  // An expectation other than 100-continue may be passed over: RFC 9110, 10.1.1.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  // Who reads the body asks for it: one that is refused for its length or type need not be sent.
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
}

async function drain(server: Server): Promise<void> {
  // A connection that is busy now becomes idle when its answer is out; it has to be closed then, not after its keep-alive.
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const cut = setTimeout(() => server.closeAllConnections(), DRAIN_LIMIT);
  try {
    await new Promise<void>((resolve, reject) => server.close((error) => (error ? reject(error) : resolve())));
  } finally {
    clearInterval(idle);
    clearTimeout(cut);
  }
}
