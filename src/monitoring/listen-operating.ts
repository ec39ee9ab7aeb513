import { createServer, type RequestListener } from 'node:http';
import { listenOn } from '../http/listen-on.ts';

export interface OperatingServer {
  readonly port: number;
  close(): Promise<void>;
}

const MOST_CONNECTIONS = 100;
/** Milliseconds. */
const REQUEST_TIMEOUT = 5000;

/** A server of its own for the operator's pages; rejects if the address can't be had. */
export async function listenOperating(
  pages: ReadonlyMap<string, RequestListener>,
  host: string,
  port: number,
): Promise<OperatingServer> {
  const server = createServer(
    { headersTimeout: REQUEST_TIMEOUT, requestTimeout: REQUEST_TIMEOUT },
    (request, response) => {
      const page = pages.get(request.url?.split('?')[0] ?? '');
      if (page !== undefined) return page(request, response);
      request.resume();
      response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' });
      response.end(`There is nothing here; there are ${[...pages.keys()].join(', ')}.`);
    },
  );
  server.maxConnections = MOST_CONNECTIONS;
  const listening = await listenOn(server, host, port);
  return {
    port: listening,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
