import type { RequestHandler } from 'express';
import type { Serve } from './exchange.ts';
import { CORRELATION_HEADER } from './request-ids.ts';

/** Headers that a page's script may send in addition to those that every page may send. Source: Fetch, 4.1. */
const ALLOWED_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, SOAPAction, traceparent, X-API-Key, X-Request-Id';
/** Headers that it may read in addition to the body. */
const EXPOSED_HEADERS = `Retry-After, ${CORRELATION_HEADER}`;
/** Seconds for which a browser may cache this permission. */
const MAX_AGE = '600';

/**
 * Lets scripts of pages from the listed origins call paths with these methods and read the answers. If no origin is listed, the handler of
 * a path is unchanged. `counted` makes a handler that refuses a caller that calls too often. Cookies and the like are not allowed: a script that logs in sends its
 * own header.
 */
export function cors(
  origins: readonly string[],
  methods: readonly string[],
  counted: (serve: Serve) => RequestHandler,
): (handler: RequestHandler) => RequestHandler {
  if (origins.length === 0) return (handler) => handler;
  const listed = new Set(origins);
  const allowedMethods = methods.join(', ');
  const permit = counted(({ request, response }) => {
    request.resume();
    response
      .writeHead(204, {
        'Access-Control-Allow-Methods': allowedMethods,
        'Access-Control-Allow-Headers': ALLOWED_HEADERS,
        'Access-Control-Max-Age': MAX_AGE,
      })
      .end();
  });
  return (handler) => (request, response, next) => {
    // Set even if the request has no Origin: an answer cached for one origin must not be served to another.
    response.setHeader('Vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !listed.has(origin)) return handler(request, response, next);
    response.setHeader('Access-Control-Allow-Origin', origin);
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) {
      response.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
      return handler(request, response, next);
    }
    return permit(request, response, next);
  };
}
