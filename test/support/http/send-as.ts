import { type IncomingHttpHeaders, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { TransportRequest } from './four-transports.ts';

/** How a caller identifies itself, and where it calls from. */
export interface Caller {
  readonly headers?: Readonly<Record<string, string>>;
  /** The address of this machine from which the connection is made. */
  readonly localAddress?: string;
  readonly certificate?: { readonly cert: string; readonly key: string } | undefined;
}

export interface SentAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends a request over its own connection; `ca`: issuers of the server's certificate. */
export function sendAs(
  { url, method, headers, body }: TransportRequest,
  { headers: own = {}, localAddress, certificate }: Caller = {},
  ca?: string,
): Promise<SentAnswer> {
  const options = {
    method,
    agent: false as const,
    headers: { ...headers, ...own, ...(body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }) },
    ...(localAddress === undefined ? {} : { localAddress }),
  };
  return new Promise((resolve, reject) => {
    const request = url.startsWith('https:')
      ? tlsRequest(url, { ...options, ...certificate, ...(ca === undefined ? {} : { ca }) })
      : plainRequest(url, options);
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    request.end(body);
  });
}

export const basic = (username: string, password: string): Readonly<Record<string, string>> => ({
  Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
});
