import { writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A proxy in front of the service, which remembers what a toolkit sent and what it was answered. */
export interface Recording {
  readonly endpoint: string;
  /** The exchanges, as one case of test/wire/cases: without headers that say who and where, and without the operations' second calls. */
  write(file: string): void;
}

export async function recordExchanges(endpoint: string): Promise<Recording> {
  const exchanges: string[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming);
    const lines = incoming.rawHeaders.flatMap((name, index, all) =>
      index % 2 === 0 ? [`${name}: ${all[index + 1]}`] : [],
    );
    const answer = await new Promise<{ readonly status: number; readonly type: string; readonly body: Buffer }>(
      (resolve) => {
        const { hostname, port } = new URL(endpoint);
        const headers = { ...incoming.headers, host: `${hostname}:${port}` };
        request({ hostname, port, path: incoming.url, method: incoming.method, headers }, async (response) => {
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers['content-type'] ?? '',
            body: await buffer(response),
          });
        }).end(body);
      },
    );
    exchanges.push(
      `=== ${incoming.method} ${incoming.url}\n${lines.filter((line) => !/^(host|content-length):/i.test(line)).join('\n')}\n\n${body}\n` +
        `=== answer ${answer.status}\nContent-Type: ${answer.type}\n\n${answer.body}\n`,
    );
    outgoing.writeHead(answer.status, { 'Content-Type': answer.type }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}${new URL(endpoint).pathname}`,
    write(file) {
      writeFileSync(file, exchanges.join(''));
      server.close();
    },
  };
}
