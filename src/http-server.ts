import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Express } from 'express';
import { expressMessages } from './express-messages.ts';
import { answerBrokenRequests, answerUnusualRequests, isWithoutHost, refuseWithoutHost } from './unusual-requests.ts';

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
/** Bytes. */
const LARGEST_HEADERS = 16 * 1024;
const MOST_CONNECTIONS = 10_000;
/** How long a stop waits for the requests in flight. */
const DRAIN_LIMIT = 8000;
/** How long a stop waits for the first byte of a connection, in milliseconds. */
const SILENCE_LIMIT = 500;

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
      ...expressMessages(app),
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
  // A client may say that it sends no more and still wait for its answer; Node would close on it. Not in Node's documentation.
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  const silent = silentConnections(server);
  answerBrokenRequests(server);
  answerUnusualRequests(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return { port: (server.address() as AddressInfo).port, close: () => drain(server, silent) };
}

/** Connections that never sent a byte; browsers open such ones early, and Node doesn't count them as idle. */
function silentConnections(server: Server): () => readonly Socket[] {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return () => [...open].filter(({ bytesRead }) => bytesRead === 0);
}

async function drain(server: Server, silent: () => readonly Socket[]): Promise<void> {
  // The first request of a connection that was accepted just now may still be on its way.
  const hush = setTimeout(() => {
    for (const socket of silent()) socket.destroy();
  }, SILENCE_LIMIT);
  // A connection that is busy now becomes idle when its answer is out; it has to be closed then, not after its keep-alive.
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const cut = setTimeout(() => server.closeAllConnections(), DRAIN_LIMIT);
  try {
    await new Promise<void>((resolve, reject) => server.close((error) => (error ? reject(error) : resolve())));
  } finally {
    clearInterval(idle);
    clearTimeout(cut);
    clearTimeout(hush);
  }
}
