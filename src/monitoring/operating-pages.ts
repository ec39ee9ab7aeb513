import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { isLoopback } from '../access/ip-address.ts';
import { HEALTH_PATH } from '../http/app.ts';
import { EVERY_ANSWER, HTML, TEXT } from '../transports/answer.ts';
import type { Page } from '../transports/pages/page.ts';
import type { Readiness } from './readiness.ts';

const READINESS_PATH = '/readyz';
const METRICS_PATH = '/metrics';
const STATUS_PATH = '/status';

export interface OperatingPagesDependencies {
  readonly readiness: Readiness;
  /** The metrics of the whole service, in Prometheus's text format. */
  readonly metricsText: () => Promise<string>;
  readonly mayMeasure: (request: IncomingMessage) => boolean;
  /** What an operator looks at; only on the operations port. */
  readonly statusPage?: () => Promise<Page>;
}

export type OperatingPages = ReadonlyMap<string, RequestListener>;

/** Source: Prometheus, text-based exposition format. */
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** What monitoring systems request: whether the process is alive, whether it can answer calls, and how well it is doing. By path. */
export function createOperatingPages({
  readiness,
  metricsText,
  mayMeasure,
  statusPage,
}: OperatingPagesDependencies): OperatingPages {
  const measure = shared(metricsText);
  const look = statusPage && shared(statusPage);
  const pages: Readonly<Record<string, Answer>> = {
    [HEALTH_PATH]: async (_request, response) => answer(response, 200, TEXT, 'ok'),
    [READINESS_PATH]: async (_request, response) => {
      const reason = await readiness.check();
      if (reason === undefined) answer(response, 200, TEXT, 'ready');
      else answer(response, 503, TEXT, reason, { 'Retry-After': '5' });
    },
    [METRICS_PATH]: async (request, response) => {
      if (!mayMeasure(request)) return answer(response, 404, TEXT, 'There is nothing here.');
      const text = await measure();
      if (text === undefined) answer(response, 503, TEXT, 'The metrics cannot be collected now.');
      else answer(response, 200, METRICS_TYPE, text);
    },
    ...(look && {
      [STATUS_PATH]: async (_request, response) => {
        const page = await look();
        if (page === undefined) answer(response, 503, TEXT, 'The page cannot be made now.');
        else answer(response, 200, HTML, page.html, page.headers);
      },
    }),
  };
  return new Map(Object.entries(pages).map(([path, page]) => [path, listenerOf(page)]));
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

const listenerOf =
  (page: Answer): RequestListener =>
  (request, response) => {
    request.resume();
    if (request.method === 'GET' || request.method === 'HEAD') return void page(request, response);
    answer(response, 405, TEXT, 'Only GET and HEAD are allowed.', { Allow: 'GET, HEAD' });
  };

function answer(
  response: ServerResponse,
  status: number,
  contentType: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, {
    ...EVERY_ANSWER,
    ...headers,
    'Content-Type': contentType,
    'Content-Length': bytes.length,
  });
  response.end(bytes);
}

const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/**
 * Whether a request comes from a program on this machine that acts for itself. A reverse proxy on this machine also connects from here, but
 * on behalf of anyone. Its headers and the host name that it requests usually reveal that. nginx with its default settings sends no such
 * header and requests the address that it connects to, but in HTTP/1.0.
 */
export const isLocalCaller = ({ socket, headers, httpVersion }: IncomingMessage): boolean =>
  httpVersion !== '1.0' &&
  isLoopback(socket.remoteAddress ?? '') &&
  isLoopback(headers.host?.replace(/:\d+$/, '') ?? '') &&
  PROXY_HEADERS.every((name) => headers[name] === undefined);
