import express, { type RequestHandler, type Response } from 'express';
import { HEALTH_PATH } from '../http/app.ts';
import { type HttpServer, listen } from '../http/http-server.ts';
import { answer, HTML, TEXT } from '../transports/answer.ts';
import type { Page } from '../transports/pages/page.ts';
import { isOwnHost } from '../transports/public-address.ts';
import type { Readiness } from './readiness.ts';

interface ForOperators {
  /** The metrics of the whole service, in Prometheus's text format. */
  readonly metricsText: () => Promise<string>;
  readonly statusPage: () => Promise<Page>;
}

/** By path. */
export type OperatingPages = ReadonlyMap<string, RequestHandler>;

/** Source: Prometheus, text-based exposition format. */
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** What monitoring systems request: whether the process is alive, whether it can answer calls, and how well it is doing. */
export function createOperatingPages(readiness: Readiness, forOperators?: ForOperators): OperatingPages {
  const pages = new Map<string, RequestHandler>();
  const add = (path: string, page: (response: Response) => Promise<void>) =>
    pages.set(path, ({ method }, response) => {
      if (method === 'GET' || method === 'HEAD') return page(response);
      answer(response, 405, TEXT, 'Only GET and HEAD are allowed.', { Allow: 'GET, HEAD' });
    });
  add(HEALTH_PATH, async (response) => answer(response, 200, TEXT, 'ok'));
  add('/readyz', async (response) => {
    const reason = await readiness.check();
    if (reason === undefined) answer(response, 200, TEXT, 'ready');
    else answer(response, 503, TEXT, reason, { 'Retry-After': '5' });
  });
  if (forOperators === undefined) return pages;
  const measure = shared(forOperators.metricsText);
  add('/metrics', async (response) => {
    const text = await measure();
    if (text === undefined) answer(response, 503, TEXT, 'The metrics cannot be collected now.');
    else answer(response, 200, METRICS_TYPE, text);
  });
  const look = shared(forOperators.statusPage);
  add('/status', async (response) => {
    const page = await look();
    if (page === undefined) answer(response, 503, TEXT, 'The page cannot be made now.');
    else answer(response, 200, HTML, page.html, page.headers);
  });
  return pages;
}

/** Requests that arrive while an answer is being created share it, because creating it blocks the event loop for milliseconds. */
function shared<T>(create: () => Promise<T>): () => Promise<T | undefined> {
  let creating: Promise<T | undefined> | undefined;
  return () => {
    creating ??= create()
      .catch(() => undefined)
      .finally(() => {
        creating = undefined;
      });
    return creating;
  };
}

/** There are few callers, each with one or two connections. A tenth of the connections is reserved for addresses that have none. */
const LIMITS = {
  quietMs: 5000,
  requestMs: 5000,
  keepAliveMs: 10_000,
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
    if (!isOwnHost(request.headers.host, allowedHosts)) answer(response, 421, TEXT, UNKNOWN_HOST);
    else if (page !== undefined) return page(request, response, next);
    else answer(response, 404, TEXT, `There is nothing here; this port serves ${[...pages.keys()].join(', ')}.`);
  });
  return listen(app, { host, port, setting: 'OPERATIONS_PORT' }, LIMITS, undefined);
}
