import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';
import { expressMessages } from './express-messages.ts';
import { type ConnectionLimits, limitConnections } from './limit-connections.ts';
import { LimitedRequests } from './limit-requests.ts';
import { listenOn } from './listen-on.ts';
import type { TlsMaterial } from './tls-files.ts';
import { answerUnusualRequests, type Refuse, refuseRequest, refuseUnrecorded, useTarget } from './unusual-requests.ts';

/** How often connections are checked: a timeout can be late by this much. */
const CHECKING_INTERVAL_MS = 1000;
const LARGEST_HEADERS_BYTES = 16 * 1024;
/** How long a shutdown waits for the requests in flight. */
const DRAIN_LIMIT_MS = 8000;
/** For how many turns of the event loop a shutdown accepts connections that wait: the length of the kernel's queue. */
const MOST_ACCEPTING_TURNS = 511;
/** How long a shutdown waits for the first request of a connection. */
const SILENCE_LIMIT_MS = 500;

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** The setting of the port; PORT by default. */
  readonly setting?: string;
  /** Whether other processes of this user may listen on the port, too. */
  readonly isShared?: boolean;
}

export interface HttpServer {
  readonly port: number;
  /** The number of open connections. */
  connections(): number;
  /** How many were closed immediately because there were too many. */
  refusedConnections(): number;
  /**
   * Uses another certificate for new connections. If the issuers of clients' certificates change, older connections end with their next
   * answer. Only for a server with TLS.
   */
  setTls(tls: TlsMaterial): void;
  /** From now on, each answer closes its connection, so that its client connects elsewhere before this server is gone. */
  announceClose(): void;
  /** Accepts no more connections, lets the requests in flight finish, then closes. Cuts connections that take longer than 8 s. */
  close(): Promise<void>;
}

/**
 * Listens, over TLS if there is material for it. Rejects if the address is not available, with SetUpError, which names the setting of the
 * port, if another program has it.
 */
export async function listen(
  app: Express,
  { host, port, setting = 'PORT', isShared }: ListenAddress,
  limits: ConnectionLimits,
  tls: TlsMaterial | undefined,
  refuse: Refuse = refuseUnrecorded,
): Promise<HttpServer> {
  let isClosing = false;
  /** Who issues the certificates of clients; undefined without TLS. */
  let clientCa = tls?.ca;
  /** Under which issuers a connection was accepted. */
  const trusted = new WeakMap<Socket, typeof clientCa>();
  const options = {
    ...expressMessages(
      app,
      (socket) => isClosing || trusted.get(socket) !== clientCa,
      () => requests.takePiece(),
    ),
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(CHECKING_INTERVAL_MS, limits.headersMs),
    maxHeaderSize: LARGEST_HEADERS_BYTES,
    requireHostHeader: false,
  };
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    if (refuseRequest(request, response, refuse)) return;
    useTarget(request);
    app(request as never, response as never);
  };
  const tlsServer =
    tls === undefined
      ? undefined
      : (await import('node:https')).createServer({ ...tls, ...options, handshakeTimeout: limits.headersMs });
  tlsServer?.on('secureConnection', (socket) => trusted.set(socket, clientCa));
  const server: Server = (tlsServer as unknown as Server | undefined) ?? createServer(options);
  // A request that begins just before the keep-alive time ends still gets the full time for its headers.
  const idleMs = limits.keepAliveMs + limits.headersMs;
  const times = { answerMs: limits.answerMs, idleMs, intervalMs: CHECKING_INTERVAL_MS };
  const requests = new LimitedRequests(server, times, serve);
  const connections = limitConnections(server, limits);
  for (const born of ['connection', 'secureConnection']) server.prependListener(born, adopt);
  // A client may half-close and still wait for its answer. Without this, Node would close the connection. Not in Node's documentation:
  // decision 0003.
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  answerUnusualRequests(server, requests, refuse);
  /**
   * Cuts connections that have not requested anything: browsers open connections early, and Node does not count them as idle. The two
   * sockets of a TLS connection have only their remote end in common.
   */
  const cutSilent = () => {
    const busy = new Set([...requests.sockets()].map(remoteEndOf));
    for (const socket of connections.open) if (!busy.has(remoteEndOf(socket))) socket.destroy();
  };
  const listening = await listenOn(server, host, port, `${setting}=${port}`, isShared);
  return {
    port: listening,
    connections: () => connections.open.size,
    refusedConnections: connections.refused,
    setTls: (material) => {
      clientCa = material.ca;
      tlsServer?.setSecureContext(material);
    },
    announceClose: () => {
      isClosing = true;
    },
    close: async () => {
      isClosing = true;
      await acceptWaiting(server);
      return drain(server, cutSilent);
    },
  };
}

/**
 * An error that nobody hears ends the process, and Node takes its own listener away before some events. A socket that was reset before it was
 * accepted has no address to be limited and recorded by, and nobody can read its answers.
 */
function adopt(socket: Socket): void {
  socket.on('error', () => {});
  if (socket.remoteAddress === undefined) socket.destroy();
}

/** The kernel resets connections that wait to be accepted when a server stops listening. Node accepts one in a turn of the event loop. */
async function acceptWaiting(server: Server): Promise<void> {
  let quietTurns = 0;
  const heard = () => {
    quietTurns = 0;
  };
  server.on('connection', heard);
  for (let turn = 0; turn < MOST_ACCEPTING_TURNS && quietTurns < 2; turn++) {
    quietTurns++;
    await new Promise((resolve) => setImmediate(resolve));
  }
  server.off('connection', heard);
}

const remoteEndOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

async function drain(server: Server, cutSilent: () => void): Promise<void> {
  // The first request of a connection that has just been accepted may still be on its way.
  const silence = setTimeout(cutSilent, SILENCE_LIMIT_MS);
  // A connection that is busy now becomes idle once its answer is sent. It must be closed then, not after its keep-alive time.
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const cut = setTimeout(() => server.closeAllConnections(), DRAIN_LIMIT_MS);
  try {
    await new Promise<void>((resolve, reject) => server.close((error) => (error ? reject(error) : resolve())));
  } finally {
    clearInterval(idle);
    clearTimeout(cut);
    clearTimeout(silence);
  }
}
