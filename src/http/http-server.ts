import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Express } from 'express';
import type { ConnectionLimits } from './connection-limits.ts';
import { Connections } from './connections.ts';
import { expressMessages } from './express-messages.ts';
import { listenOn } from './listen-on.ts';
import type { TlsMaterial } from './tls-files.ts';
import {
  LARGEST_PROXIED_HEAD,
  MOST_HEADERS,
  type Refuse,
  refuseRequest,
  refuseUnrecorded,
  useTarget,
} from './unusual-requests.ts';

/** How often Node checks requests: a timeout can be late by this much. */
const CHECKING_INTERVAL_MS = 1000;
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
  const options = {
    ...expressMessages(app),
    headersTimeout: limits.requestMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(CHECKING_INTERVAL_MS, limits.quietMs, limits.requestMs),
    maxHeaderSize: LARGEST_PROXIED_HEAD,
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
      : (await import('node:https')).createServer({ ...tls, ...options, handshakeTimeout: limits.requestMs });
  const server: Server = (tlsServer as unknown as Server | undefined) ?? createServer(options);
  server.maxHeadersCount = MOST_HEADERS;
  const connections = new Connections(server, tls !== undefined, limits, { serve, refuse });
  connections.issuers = tls?.ca;
  // A client may half-close and still wait for its answer. Without this, Node would close the connection. Not in Node's documentation:
  // decision 0003.
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  // An expectation other than 100-continue may be ignored: RFC 9110, 10.1.1. The code that reads the body sends 100 Continue, so that a body
  // refused for its length or type need not be sent.
  for (const expects of ['checkExpectation', 'checkContinue']) {
    server.on(expects, (request, response) => server.emit('request', request, response));
  }
  const listening = await listenOn(server, host, port, `${setting}=${port}`, isShared);
  return {
    port: listening,
    connections: () => connections.size,
    refusedConnections: () => connections.refused,
    setTls: (material) => {
      connections.issuers = material.ca;
      tlsServer?.setSecureContext(material);
    },
    announceClose: () => {
      connections.isClosing = true;
    },
    close: async () => {
      connections.isClosing = true;
      await acceptWaiting(server);
      return drain(server, () => connections.cutSilent());
    },
  };
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
