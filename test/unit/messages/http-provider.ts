import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as received. */
interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An answer, or one of the ways in which none is sent. */
export type ProviderAnswer =
  | { readonly status: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>> }
  /** Never answers. */
  | 'silent'
  /** Breaks the connection after the request was read. */
  | 'drop'
  /** Breaks it in the middle of the body. */
  | 'cut'
  /** A body without end. */
  | 'endless';

/** A text message provider on loopback that does what it is told. */
export interface HttpProvider {
  readonly port: number;
  readonly url: string;
  readonly seen: SeenRequest[];
  /** Of a function: for the number in Kannel's header. */
  answer: ProviderAnswer | ((number: string) => ProviderAnswer);
  stopListening(): Promise<void>;
  listenAgain(): Promise<void>;
  stop(): Promise<void>;
}

export async function startHttpProvider(
  first: ProviderAnswer,
  tls?: { readonly cert: string; readonly key: string },
): Promise<HttpProvider> {
  const seen: SeenRequest[] = [];
  const serve: RequestListener = async (request, response) => {
    const { method = '', url = '', headers } = request;
    seen.push({ method, url, headers, body: await text(request) });
    const answer =
      typeof provider.answer === 'function' ? provider.answer(String(headers['x-kannel-to'])) : provider.answer;
    if (answer === 'silent') return;
    if (answer === 'drop') return void request.socket.destroy();
    if (answer === 'cut') {
      response.writeHead(202, { 'Content-Length': '1000' });
      return void response.write('0: Accepted', () => request.socket.destroy());
    }
    if (answer === 'endless') {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
      };
      response.writeHead(202).on('drain', more);
      return more();
    }
    response.writeHead(answer.status, answer.headers).end(answer.body);
  };
  const server = tls === undefined ? createServer(serve) : createTlsServer(tls, serve);
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const stopListening = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const provider: HttpProvider = {
    port,
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}/send`,
    seen,
    answer: first,
    stopListening,
    listenAgain: () => listen(port),
    stop: stopListening,
  };
  return provider;
}
