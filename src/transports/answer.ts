import type { Response } from 'express';

/** Answers with a whole body, its Content-Length and any further headers. */
export function answer(
  response: Response,
  status: number,
  contentType: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    ...headers,
    'Content-Type': contentType,
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}

export const TEXT = 'text/plain; charset=utf-8';
export const XML = 'text/xml; charset=utf-8';
export const HTML = 'text/html; charset=utf-8';
export const JSON_TYPE = 'application/json; charset=utf-8';
