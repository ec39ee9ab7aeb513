import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Express } from 'express';
import { expressMessages } from './express-messages.ts';
import { type ConnectionLimits, limitConnections } from './limit-connections.ts';
import { limitRequests } from './limit-requests.ts';
import { listenOn } from './listen-on.ts';
import { type OpenConnections, openConnections, openTlsConnections } from './open-connections.ts';
import { readWhileSending } from './read-while-sending.ts';
import type { TlsMaterial } from './tls-files.ts';
import { answerBrokenRequests, answerUnusualRequests, mistakeInHeaders, refuseHeaders } from './unusual-requests.ts';

/** How often connections are checked, in milliseconds: a timeout can be late by this much. */
const CHECKING_INTERVAL = 1000;
/** Bytes. */
const LARGEST_HEADERS = 16 * 1024;
/** How long a shutdown waits for the requests in flight, in milliseconds. */
const DRAIN_LIMIT = 8000;
/** How long a shutdown waits for the first byte of a connection, in milliseconds. */
const SILENCE_LIMIT = 500;

export interface HttpServer {
  readonly port: number;
  /** The number of open connections. */
  connections(): number;
  /** How many were closed immediately because there were too many. */
  refusedConnections(): number;
  /** Uses another certificate for new connections. Does nothing if the server speaks plain HTTP. */
  setTls(tls: TlsMaterial): void;
  /** From now on, each answer closes its connection, so that its client connects elsewhere before this server is gone. */
  announceClose(): void;
  /** Accepts no more connections, lets the requests in flight finish, then closes. Cuts connections that take longer than 8 s. */
  close(): Promise<void>;
}

/**
 * Listens, over TLS if there is material for it. Rejects if the address is not available, with SetUpError if another program has the port.
 */
export async function listen(
  app: Express,
  host: string,
  port: number,
  limits: ConnectionLimits,
  tls: TlsMaterial | undefined,
): Promise<HttpServer> {
  let isClosing = false;
  const options = {
    ...expressMessages(app, () => isClosing),
    headersTimeout: limits.headers,
    requestTimeout: limits.request,
    keepAliveTimeout: limits.keepAlive,
    connectionsCheckingInterval: Math.min(CHECKING_INTERVAL, limits.headers),
    maxHeaderSize: LARGEST_HEADERS,
    requireHostHeader: false,
  };
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    const mistake = mistakeInHeaders(request);
    if (mistake === undefined) app(request as never, response as never);
    else refuseHeaders(response, mistake);
  };
  const tlsServer =
    tls === undefined
      ? undefined
      : (await import('node:https')).createServer({ ...tls, ...options, handshakeTimeout: limits.headers });
  const server: Server = (tlsServer as unknown as Server | undefined) ?? createServer(options);
  const { latestAnswer } = limitRequests(
    server,
    // A request that begins just before the keep-alive time ends still gets the full time for its headers.
    { answer: limits.answer, idle: limits.keepAlive + limits.headers, interval: CHECKING_INTERVAL },
    serve,
  );
  readWhileSending(server);
  // Node's other timeouts end with the request: without this one, a client that does not read its answer would keep the connection forever.
  server.setTimeout(limits.stalled);
  const refused = limitConnections(server, limits);
  // A client may half-close and still wait for its answer. Without this, Node would close the connection. Not in Node's documentation.
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  const open = tlsServer === undefined ? openConnections(server) : openTlsConnections(server);
  answerBrokenRequests(server, latestAnswer);
  answerUnusualRequests(server);
  const listening = await listenOn(server, host, port, `PORT=${port}`);
  return {
    port: listening,
    connections: () => open.count(),
    refusedConnections: refused,
    setTls: (material) => tlsServer?.setSecureContext(material),
    announceClose: () => {
      isClosing = true;
    },
    close: () => {
      isClosing = true;
      return drain(server, open);
    },
  };
}

async function drain(server: Server, open: OpenConnections): Promise<void> {
  // The first request of a connection that has just been accepted may still be on its way.
  const hush = setTimeout(() => {
    for (const socket of open.silent()) socket.destroy();
  }, SILENCE_LIMIT);
  // A connection that is busy now becomes idle once its answer is sent. It must be closed then, not after its keep-alive time.
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
