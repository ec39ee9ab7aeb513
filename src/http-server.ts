import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Express } from 'express';

/** What a connection may take. Milliseconds and bytes. */
const HEADERS_TIMEOUT = 10_000;
const REQUEST_TIMEOUT = 15_000;
const KEEP_ALIVE_TIMEOUT = 65_000;
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
export async function listen(app: Express, host: string, port: number): Promise<HttpServer> {
  const server = createServer(
    {
      ...bornForExpress(app),
      headersTimeout: HEADERS_TIMEOUT,
      requestTimeout: REQUEST_TIMEOUT,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
      connectionsCheckingInterval: 1000,
      maxHeaderSize: LARGEST_HEADERS,
    },
    app,
  );
  server.maxConnections = MOST_CONNECTIONS;
  server.on('clientError', answerBrokenRequest);
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
  class ExpressResponse extends ServerResponse {}
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
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = BROKEN_REQUEST_STATUS[error.code ?? ''] ?? '400 Bad Request';
  const body = `${status.slice(4)}.`;
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
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
