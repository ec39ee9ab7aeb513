import { isIP } from 'node:net';
import express from 'express';
import { type HttpServer, listen } from '../http/http-server.ts';
import { answer, TEXT } from '../transports/answer.ts';
import type { OperatingPages } from './operating-pages.ts';

/** There are few callers, each with one or two connections. A tenth of the connections is reserved for addresses that have none. */
const LIMITS = {
  headersMs: 5000,
  requestMs: 5000,
  keepAliveMs: 10_000,
  stalledMs: 10_000,
  answerMs: 10_000,
  most: 100,
  isProxy: () => false,
};
const UNKNOWN_HOST = 'This port does not answer for that host; its operator can set ALLOWED_HOSTS.';

/**
 * A separate server for the operator's pages. Rejects if the address is not available. It answers requests for IP addresses, for names
 * without a dot, which no stranger can register (DNS rebinding), and for `allowedHosts`.
 */
export function listenOperating(
  pages: OperatingPages,
  { host, port }: { readonly host: string; readonly port: number },
  allowedHosts: readonly string[],
): Promise<HttpServer> {
  const app = express().disable('x-powered-by').disable('etag');
  app.use((request, response, next) => {
    const page = pages.get(request.path);
    if (!isOwnName(request.headers.host ?? '', allowedHosts)) answer(response, 421, TEXT, UNKNOWN_HOST);
    else if (page !== undefined) return page(request, response, next);
    else answer(response, 404, TEXT, `There is nothing here; this port serves ${[...pages.keys()].join(', ')}.`);
  });
  return listen(app, host, port, LIMITS, undefined, undefined, 'OPERATIONS_PORT');
}

function isOwnName(host: string, allowedHosts: readonly string[]): boolean {
  const name = host.replace(/:\d{1,5}$/, '').toLowerCase();
  return isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || /^[a-z0-9_-]+$/.test(name) || allowedHosts.includes(name);
}
