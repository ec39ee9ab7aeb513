import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { listenOn } from '../../../src/http/listen-on.ts';
import { oldOperations, oldWsdl } from '../../wire/contract/old-wsdl.ts';
import { cleanUpLater } from '../clean-up.ts';
import type { TestCertificate } from './test-certificates.ts';

/** A stand-in for the service to be replaced: seven operations that return nothing. */
export interface OldService {
  readonly port: number;
  readonly url: string;
  /** Requests received, each as `METHOD target`. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

const WSDL = Buffer.from(oldWsdl);
const PATH = '/TPWebServices.asmx';
const SCHEMAS = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"';
/** As sent by Mono's ASMX; `Date` is the server's. */
const HEADERS = { 'X-AspNet-Version': '4.0.30319', 'Cache-Control': 'private, max-age=0' };

/**
 * Starts it on a loopback port, by default a free one, and over TLS if it is given a certificate. Its answers were copied from an ASMX on
 * Mono, without stack traces.
 */
export async function startOldService(wanted = 0, certificate?: TestCertificate): Promise<OldService> {
  const requests: string[] = [];
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    requests.push(`${request.method} ${request.url}`);
    text(request).then(
      (body) => answer(request, response, body),
      () => response.destroy(),
    );
  };
  const server = certificate === undefined ? createServer(serve) : createTlsServer(certificate, serve);
  const port = await listenOn(server, '127.0.0.1', wanted, `port ${wanted}`);
  return {
    port,
    url: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}${PATH}`,
    requests,
    close: cleanUpLater(async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    }),
  };
}

function answer({ method, url = '/', headers }: IncomingMessage, response: ServerResponse, body: string): void {
  const [path = '', query = ''] = url.split('?');
  const fault = (status: number, words: string) => end(response, status, 'text/plain; charset=utf-8', words);
  if (path === PATH && /^wsdl$/i.test(query)) {
    // Without a length, as IIS sends an answer that it generates while sending.
    response.writeHead(200, { ...HEADERS, 'Content-Type': 'text/xml; charset=utf-8' });
    response.write(WSDL.subarray(0, 1000));
    response.end(WSDL.subarray(1000));
  } else if (path === PATH && method === 'POST') {
    const isNew = /soap\+xml/.test(headers['content-type'] ?? '');
    const operation = oldOperations.find(({ name }) => body.includes(`<${name} `));
    if (operation === undefined) fault(500, 'System.InvalidOperationException: Request format is invalid.');
    else
      end(
        response,
        200,
        `${isNew ? 'application/soap+xml' : 'text/xml'}; charset=utf-8`,
        envelope(isNew, `${operation.name}Response`),
      );
  } else {
    const operation = oldOperations.find(({ name }) => path === `${PATH}/${name}`);
    const given = new Set(
      [...new URLSearchParams(method === 'GET' ? query : body).keys()].map((name) => name.toLowerCase()),
    );
    const missing = operation?.parameters.find(({ name }) => !given.has(name.toLowerCase()));
    if (operation === undefined)
      fault(500, 'System.InvalidOperationException: {0} Web Service method name is not valid.\n');
    else if (missing !== undefined) fault(500, 'System.InvalidOperationException: Missing parameter: {0}.\n');
    else end(response, 200, undefined, '');
  }
}

const envelope = (isNew: boolean, responseName: string): string =>
  `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="${isNew ? 'http://www.w3.org/2003/05/soap-envelope' : 'http://schemas.xmlsoap.org/soap/envelope/'}" ${SCHEMAS}><soap:Body><${responseName} xmlns="http://tempuri.org/" /></soap:Body></soap:Envelope>`;

function end(response: ServerResponse, status: number, contentType: string | undefined, body: string): void {
  const type = contentType === undefined ? {} : { 'Content-Type': contentType };
  response.writeHead(status, { ...HEADERS, ...type, 'Content-Length': Buffer.byteLength(body) }).end(body);
}
