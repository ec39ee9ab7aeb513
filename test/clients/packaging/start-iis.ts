import { readFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import { parseStringPromise } from 'xml2js';
import { encodedGet, streamInstead } from '../../../src/http/encode-address.ts';
import { listenOn } from '../../../src/http/listen-on.ts';
import { root } from '../../house/source-files.ts';

/**
 * Stands for IIS, which cannot run here, with the rule of deploy/iis/web.config in an application at `path`: URL Rewrite compares what is behind
 * the path of the application, without its first slash and whatever its letter case, and appends the query.
 */
export async function startIis(port: number, servicePort: number, path: string) {
  const { configuration } = await parseStringPromise(readFileSync(new URL('deploy/iis/web.config', root), 'utf8'));
  const { rule: rules } = configuration['system.webServer'][0].rewrite[0].rules[0];
  const rule = rules.find(({ $ }: { $: { name: string } }) => $.name === 'TPWebServices');
  const pattern = new RegExp(rule.match[0].$.url, 'i');
  const variables: { name: string; value: string }[] = rule.serverVariables[0].set.map(({ $ }: { $: object }) => $);
  const set = variables.map(({ name, value }) => [
    name
      .replace(/^HTTP_/, '')
      .replaceAll('_', '-')
      .toLowerCase(),
    value,
  ]);
  const server = createServer((incoming, outgoing) => {
    const [sent = '', query] = (incoming.url ?? '').split(/(\?.*)/s);
    const isBelow = sent.toLowerCase().startsWith(`${path.toLowerCase()}/`);
    const found = isBelow ? pattern.exec(sent.slice(path.length + 1)) : null;
    if (found === null) return void outgoing.writeHead(404).end();
    const target = new URL(rule.action[0].$.url.replace(/\{R:(\d)\}/g, (_: string, group: number) => found[group]));
    const headers = { ...incoming.headers, ...Object.fromEntries(set) };
    const options = { method: incoming.method, path: target.pathname + (query ?? ''), port: servicePort, headers };
    incoming.pipe(
      httpRequest(options, (answer) => {
        answer.pipe(outgoing.writeHead(answer.statusCode ?? 502, answer.headers));
      }),
    );
  });
  // IIS takes what is beyond ASCII in an address.
  server.on('clientError', (error, socket) => {
    server.emit(
      'connection',
      streamInstead(socket as Socket, encodedGet(error) ?? '', () => socket.end()),
    );
  });
  await listenOn(server, '127.0.0.1', port, `port ${port}`);
  return {
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
