import type { RequestHandler, Response } from 'express';
import { HEALTH_PATH } from '../http/app.ts';
import { answer, HTML, TEXT } from '../transports/answer.ts';
import type { Page } from '../transports/pages/page.ts';
import type { Readiness } from './readiness.ts';

export interface OperatingPagesDependencies {
  readonly readiness: Readiness;
  /** Only for the operations port. */
  readonly forOperators?: {
    /** The metrics of the whole service, in Prometheus's text format. */
    readonly metricsText: () => Promise<string>;
    /** What an operator looks at. */
    readonly statusPage: () => Promise<Page>;
  };
}

/** By path. */
export type OperatingPages = ReadonlyMap<string, RequestHandler>;

/** Source: Prometheus, text-based exposition format. */
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** What monitoring systems request: whether the process is alive, whether it can answer calls, and how well it is doing. */
export function createOperatingPages({ readiness, forOperators }: OperatingPagesDependencies): OperatingPages {
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
