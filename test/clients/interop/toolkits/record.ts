import { appendFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A proxy in front of the service, which writes what a toolkit sends as a case of test/wire/cases. */
export interface Recording {
  readonly endpoint: string;
  /** Keeps the last request, and the elements with these names of its answer. */
  keep(elements: readonly string[]): void;
  /** Appends the case to a file. */
  write(file: string, title: string): void;
}

/** Who and where, and what concerns the connection alone. */
const LEFT_OUT = /^(?:host|content-length|connection: keep-alive|transfer-encoding)\b/i;

export async function recordExchanges(endpoint: string): Promise<Recording> {
  const { hostname, port, pathname } = new URL(endpoint);
  const kept: string[] = [];
  let last = { request: '', status: 0, answer: '' };
  const server = createServer(async (incoming, outgoing) => {
    const { method, url, rawHeaders, headers } = incoming;
    const body = await buffer(incoming);
    const lines = rawHeaders.flatMap((name, at, all) => (at % 2 === 0 ? [`${name}: ${all[at + 1]}`] : []));
    const head = lines.filter((line) => !LEFT_OUT.test(line));
    const passed = { hostname, port, path: url, method, headers: { ...headers, host: `${hostname}:${port}` } };
    request(passed, async (response) => {
      const answer = await buffer(response);
      const status = response.statusCode ?? 0;
      last = { request: `=== ${method} ${url}\n${head.join('\n')}\n\n${body}\n`, status, answer: `${answer}` };
      outgoing.writeHead(status, { 'Content-Type': response.headers['content-type'] }).end(answer);
    }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    keep(elements) {
      const shown = elements.flatMap((name) => new RegExp(`<${name}>.*?</${name}>`).exec(last.answer)?.[0] ?? []);
      kept.push(`${last.request}=== answer ${last.status}, in part\n${shown.join('\n')}\n`);
    },
    write(file, title) {
      appendFileSync(file, `${title}\n${kept.join('\n')}`);
      server.close();
    },
  };
}
