import type { Response } from 'express';
import { discardRest, hasLargeRest } from './discard-rest.ts';

/** Sends a whole body (bytes as they are) with its Content-Length and any further headers; closes the connection if much of the request is left. */
export function answer(
  response: Response,
  status: number,
  contentType: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const closes = hasLargeRest(response.req);
  response.writeHead(status, {
    ...headers,
    ...(closes ? { Connection: 'close' } : {}),
    'Content-Type': contentType,
    'Content-Length': bytes.length,
  });
  if (!closes) {
    response.end(bytes);
    return;
  }
  // The whole answer has been sent with its last byte; `end` is what closes the connection.
  response.flushHeaders();
  response.write(bytes);
  discardRest(response.req, () => response.end());
}

export const TEXT = 'text/plain; charset=utf-8';
export const XML = 'text/xml; charset=utf-8';
export const HTML = 'text/html; charset=utf-8';
export const JSON_TYPE = 'application/json; charset=utf-8';
