import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

interface ProxyCounts {
  requests: number;
  /** Answered 503 and not forwarded. */
  refused: number;
  /** Connection broken after the request was read, and not forwarded. */
  broken: number;
  handedOn: number;
}

export interface FailingProxy {
  /** The address to use instead of the target. */
  readonly url: string;
  readonly counts: Readonly<ProxyCounts>;
  stop(): Promise<void>;
}

export interface ProxyOptions {
  /** Share of the requests that it refuses, and share whose connections it breaks: from 0 to 1. */
  readonly refused: number;
  readonly broken: number;
  /** Longest wait before an answer is passed back, in milliseconds, during which a sender may be killed. */
  readonly delay: number;
  readonly random: () => number;
}

/** A proxy in front of one HTTP address, on loopback, that fails at random before it forwards a request. */
export async function startFailingProxy(target: string, options: ProxyOptions): Promise<FailingProxy> {
  const { random } = options;
  const counts: ProxyCounts = { requests: 0, refused: 0, broken: 0, handedOn: 0 };
  const { host, pathname } = new URL(target);
  const broken = new Set<string>();

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    counts.requests++;
    const body = await buffer(request);
    const chance = random();
    if (chance < options.refused) {
      counts.refused++;
      response.writeHead(503).end('Temporal failure, try again later.');
      return;
    }
    const message = `${request.url} ${body}`;
    // Only once for each message: after every attempt without an answer, as after a kill, the sender waits ten times as long for the next.
    if (chance < options.refused + options.broken && !broken.has(message)) {
      broken.add(message);
      counts.broken++;
      request.socket.destroy();
      return;
    }
    counts.handedOn++;
    const wait = random() * options.delay;
    const { method, url, headers } = request;
    const onward = forward(new URL(url ?? '', target), { method, headers: { ...headers, host }, agent: false });
    onward.on('error', () => request.socket.destroy());
    onward.on('response', async (answer) => {
      const content = await buffer(answer);
      await new Promise((resume) => setTimeout(resume, wait));
      response.writeHead(answer.statusCode ?? 502, { 'Content-Type': 'text/plain' }).end(content);
    });
    onward.end(body);
  }

  const server = createServer((request, response) => {
    // The other end may be killed at any moment.
    pass(request, response).catch(() => request.socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    counts,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
