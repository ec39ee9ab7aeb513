import { createServer, type RequestListener } from 'node:http';
import { isIP } from 'node:net';
import { listenOn } from '../http/listen-on.ts';
import { EVERY_ANSWER } from '../transports/every-answer.ts';
import { SetUpError } from '../vocabulary/errors.ts';

export interface OperatingServer {
  readonly port: number;
  close(): Promise<void>;
}

const MOST_CONNECTIONS = 100;
const UNKNOWN_HOST = 'This port does not answer for that host; its operator can set ALLOWED_HOSTS.';
/** Milliseconds. */
const REQUEST_TIMEOUT = 5000;

/**
 * A server of its own for the operator's pages; rejects if the address can't be had. It answers to addresses, to names without a dot, which no
 * stranger can register (DNS rebinding), and to `allowedHosts`.
 */
export async function listenOperating(
  pages: ReadonlyMap<string, RequestListener>,
  host: string,
  port: number,
  allowedHosts: readonly string[],
): Promise<OperatingServer> {
  const server = createServer(
    { headersTimeout: REQUEST_TIMEOUT, requestTimeout: REQUEST_TIMEOUT },
    (request, response) => {
      const isOurs = isOwnName(request.headers.host ?? '', allowedHosts);
      const page = pages.get(request.url?.split('?')[0] ?? '');
      if (isOurs && page !== undefined) return page(request, response);
      request.resume();
      response.writeHead(isOurs ? 404 : 421, { ...EVERY_ANSWER, 'Content-Type': 'text/plain; charset=utf-8' });
      response.end(isOurs ? `There is nothing here; there are ${[...pages.keys()].join(', ')}.` : UNKNOWN_HOST);
    },
  );
  server.maxConnections = MOST_CONNECTIONS;
  const setting = `OPERATIONS_PORT=${port}`;
  const listening = await listenOn(server, host, port, setting).catch((error: unknown) => {
    if (error instanceof SetUpError) throw error;
    throw new SetUpError(`OPERATIONS_HOST=${host}, ${setting}: ${(error as Error).message}.`);
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
