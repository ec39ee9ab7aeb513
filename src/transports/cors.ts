import type { Request, RequestHandler } from 'express';
import { CORRELATION_HEADER } from './correlation-id.ts';

/** What a page's script may send beside what every page may. Source: Fetch, 4.1. */
const ALLOWED_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, SOAPAction, traceparent, X-API-Key, X-Request-Id';
/** What it may read beside the body. */
const EXPOSED_HEADERS = `Retry-After, ${CORRELATION_HEADER}`;
/** Seconds for which a browser need not ask again. */
const MAX_AGE = '600';

/**
 * Lets the scripts of listed origins' pages call what has these methods, and read its answers; a handler a path, none if no origin is
 * listed. `count` throws where a caller asks too often. Cookies and what else a browser sends by itself stay out: a script that logs in does so by a header of its own.
 */
export function cors(
  origins: readonly string[],
  methods: readonly string[],
  count: (request: Request) => void,
): readonly RequestHandler[] {
  if (origins.length === 0) return [];
  const listed = new Set(origins);
  const allowedMethods = methods.join(', ');
  return [
    (request, response, next) => {
      // Also where no origin is told: what is kept for one must not be given to another.
      response.setHeader('Vary', 'Origin');
      const { origin } = request.headers;
      if (origin === undefined || !listed.has(origin)) return next();
      response.setHeader('Access-Control-Allow-Origin', origin);
      if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) {
        response.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
        return next();
      }
      count(request);
      request.resume();
      response
        .writeHead(204, {
          'Access-Control-Allow-Methods': allowedMethods,
          'Access-Control-Allow-Headers': ALLOWED_HEADERS,
          'Access-Control-Max-Age': MAX_AGE,
        })
        .end();
    },
  ];
}
