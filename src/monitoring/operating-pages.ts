import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { isLoopback } from '../access/ip-address.ts';
import { HEALTH_PATH } from '../http/app.ts';
import { EVERY_ANSWER } from '../transports/answer.ts';
import type { Readiness } from './readiness.ts';

const READINESS_PATH = '/readyz';
const METRICS_PATH = '/metrics';

export interface OperatingPagesDependencies {
  readonly readiness: Readiness;
  /** The metrics of the whole service, in Prometheus's text format. */
  readonly metricsText: () => Promise<string>;
  readonly mayMeasure: (request: IncomingMessage) => boolean;
}

export type OperatingPages = ReadonlyMap<string, RequestListener>;

const TEXT = 'text/plain; charset=utf-8';
/** Source: Prometheus, text-based exposition format. */
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

type Page = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** What monitoring systems request: whether the process is alive, whether it can answer calls, and how well it is doing. By path. */
export function createOperatingPages({
  readiness,
  metricsText,
  mayMeasure,
}: OperatingPagesDependencies): OperatingPages {
  /** Requests that arrive while the text is being created share it, because creating it blocks the event loop for milliseconds. */
  let measuring: Promise<string | undefined> | undefined;
  const pages: Readonly<Record<string, Page>> = {
    [HEALTH_PATH]: async (_request, response) => answer(response, 200, TEXT, 'ok'),
    [READINESS_PATH]: async (_request, response) => {
      const reason = await readiness.check();
      if (reason === undefined) answer(response, 200, TEXT, 'ready');
      else answer(response, 503, TEXT, reason, { 'Retry-After': '5' });
    },
    [METRICS_PATH]: async (request, response) => {
      if (!mayMeasure(request)) return answer(response, 404, TEXT, 'There is nothing here.');
      measuring ??= metricsText()
        .catch(() => undefined)
        .finally(() => {
          measuring = undefined;
        });
      const text = await measuring;
      if (text === undefined) answer(response, 503, TEXT, 'The metrics cannot be collected now.');
      else answer(response, 200, METRICS_TYPE, text);
    },
  };
  return new Map(Object.entries(pages).map(([path, page]) => [path, listenerOf(page)]));
}

const listenerOf =
  (page: Page): RequestListener =>
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
    ...headers,
    ...EVERY_ANSWER,
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
