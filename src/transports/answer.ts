import type { Response } from 'express';
import { discardRest, hasLargeRest } from './discard-rest.ts';

/** Size in bytes up to which a body is copied into each answer. Larger cached bodies are shared by all answers. */
const SHORT = 8 * 1024;

/** A body that is cached and sent many times, in the form that is sent fastest. */
export const reusableBody = (text: string): string | Buffer => (text.length > SHORT ? Buffer.from(text) : text);

/**
 * Sends a whole body (a Buffer as it is) with its Content-Length and any further headers; closes the connection if much of the request is
 * still unread.
 */
export function answer(
  response: Response,
  status: number,
  contentType: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): void {
  const length = Buffer.byteLength(body);
  const closes = hasLargeRest(response.req);
  response.writeHead(status, {
    ...headers,
    ...(closes ? { Connection: 'close' } : {}),
    'Content-Type': contentType,
    'Content-Length': length,
  });
  if (!closes) {
    end(response, body, length);
    return;
  }
  // The client has the whole answer when its last byte has arrived; only `end` closes the connection.
  response.flushHeaders();
  response.write(body);
  discardRest(response.req, () => response.end());
}

/** A response that accepts header lines without checking them; `length` is that of its body, in bytes. */
export interface LineWriter {
  writeLines(status: number, lines: string, length: number): void;
}

/**
 * The same for `headers` that need no check, because they are constants, or ids that were checked when they were read. Node's checks of
 * names and values take 4,000 of the 70,000 to 150,000 instructions of an answer.
 */
export function answerWithCheckedHeaders(
  response: Response & Partial<LineWriter>,
  status: number,
  contentType: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>>,
): void {
  let lines = `Content-Type: ${contentType}\r\n`;
  let replaces = false;
  for (const name in headers) {
    lines += `${name}: ${headers[name]}\r\n`;
    replaces ||= response.hasHeader(name);
  }
  if (response.writeLines === undefined || replaces || hasLargeRest(response.req)) {
    answer(response, status, contentType, body, headers);
    return;
  }
  const length = Buffer.byteLength(body);
  response.writeLines(status, lines, length);
  end(response, body, length);
}

/** Ends an answer with its whole body, of `length` bytes. */
function end(response: Response, body: string | Buffer, length: number): void {
  // Node sends a text in Latin-1, where each character is one byte, together with the headers, but a Buffer separately. A text that has as
  // many characters as bytes is ASCII, and so needs no conversion.
  if (typeof body === 'string' && body.length === length && length <= SHORT) {
    response.end(body, 'latin1');
    return;
  }
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body);
  if (length > SHORT) response.end(bytes);
  else response.end(bytes.toString('latin1'), 'latin1');
}

export const TEXT = 'text/plain; charset=utf-8';
export const XML = 'text/xml; charset=utf-8';
export const HTML = 'text/html; charset=utf-8';
export const JSON_TYPE = 'application/json; charset=utf-8';
