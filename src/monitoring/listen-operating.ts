import { createServer, type RequestListener } from 'node:http';
import { isIP } from 'node:net';
import { limitConnections } from '../http/limit-connections.ts';
import { limitRequests } from '../http/limit-requests.ts';
import { listenOn } from '../http/listen-on.ts';
import { answerBrokenRequests, refuseUnrecorded } from '../http/unusual-requests.ts';
import { EVERY_ANSWER } from '../transports/answer.ts';
import { SetUpError } from '../vocabulary/errors.ts';

export interface OperatingServer {
  readonly port: number;
  close(): Promise<void>;
}

/** There are few callers, each with one or two connections. A tenth of the connections is reserved for addresses that have none. */
const CONNECTIONS = { most: 100, isProxy: () => false };
const UNKNOWN_HOST = 'This port does not answer for that host; its operator can set ALLOWED_HOSTS.';
const REQUEST_TIMEOUT_MS = 5000;
/** Between two requests, and until an answer has been sent. */
const IDLE_LIMIT_MS = 10_000;
const CHECKING_INTERVAL_MS = 1000;

/**
 * A separate server for the operator's pages. Rejects if the address is not available. It answers requests for IP addresses, for names
 * without a dot, which no stranger can register (DNS rebinding), and for `allowedHosts`.
 */
export async function listenOperating(
  pages: ReadonlyMap<string, RequestListener>,
  { host, port }: { readonly host: string; readonly port: number },
  allowedHosts: readonly string[],
): Promise<OperatingServer> {
  const server = createServer({
    headersTimeout: REQUEST_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: CHECKING_INTERVAL_MS,
  });
  const serve: RequestListener = (request, response) => {
    const isOurs = isOwnName(request.headers.host ?? '', allowedHosts);
    const page = pages.get(request.url?.split('?')[0] ?? '');
    if (isOurs && page !== undefined) return page(request, response);
    request.resume();
    const text = isOurs ? `There is nothing here; this port serves ${[...pages.keys()].join(', ')}.` : UNKNOWN_HOST;
    const type = { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': text.length };
    response.writeHead(isOurs ? 404 : 421, { ...EVERY_ANSWER, ...type }).end(text);
  };
  limitConnections(server, CONNECTIONS);
  const limits = { answerMs: IDLE_LIMIT_MS, idleMs: IDLE_LIMIT_MS, intervalMs: CHECKING_INTERVAL_MS };
  const { latestAnswer } = limitRequests(server, limits, serve);
  answerBrokenRequests(server, latestAnswer, refuseUnrecorded);
  const listening = await listenOn(server, host, port, `OPERATIONS_PORT=${port}`).catch((error: unknown) => {
    if (error instanceof SetUpError) throw error;
    throw new SetUpError(`OPERATIONS_PORT=${host}:${port}: ${(error as Error).message}.`);
  });
  return {
    port: listening,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function isOwnName(host: string, allowedHosts: readonly string[]): boolean {
  const name = host.replace(/:\d{1,5}$/, '').toLowerCase();
  return isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || /^[a-z0-9_-]+$/.test(name) || allowedHosts.includes(name);
}
