import { STATUS_CODES } from 'node:http';
import type { Request, Response } from 'express';
import { FAULT_ANSWERS, type Fault, faultHeaders } from './faults.ts';
import { wantsJson } from './media-type.ts';

export const TEXT = 'text/plain; charset=utf-8';
export const XML = 'text/xml; charset=utf-8';
export const HTML = 'text/html; charset=utf-8';
export const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Headers of every answer: it contains patient data, must never be interpreted as anything other than its declared type, and must not be
 * shown by another site's page.
 */
export const EVERY_ANSWER: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  // The allowed styles and images are those with which browsers display XML as a tree.
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
};

/** Sends a whole body (a Buffer as it is) with its Content-Length and any further headers. */
export function answer(
  response: Response,
  status: number,
  contentType: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    ...headers,
    'Content-Type': contentType,
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}

/** A fault as one sentence of plain text. */
export const answerTextFault = (response: Response, fault: Fault): void =>
  answer(response, FAULT_ANSWERS[fault.code].status, TEXT, sentenceOf(fault), faultHeaders(fault));

/** The service's own fault ends with the id that the operator needs. */
const sentenceOf = ({ code, message, correlationId }: Fault): string =>
  FAULT_ANSWERS[code].status >= 500 ? `${message} Correlation id: ${correlationId}.` : message;

/** A page for people, with its headers. */
export type PageOf = (
  title: string,
  sentence: string,
) => { readonly html: string; readonly headers: Readonly<Record<string, string>> };

/** All browsers send this type when somebody opens an address, and no HTTP library does by default. */
const BROWSER = /application\/xhtml\+xml/i;

/**
 * Answers a fault where no envelope is expected: with problem details if JSON is wanted (RFC 9457), with a page if a browser asks, and
 * otherwise with one sentence.
 */
export function answerFault(
  request: Request,
  response: Response,
  fault: Fault,
  pageOf: PageOf,
  headers: Readonly<Record<string, string>> = {},
): void {
  const { code, message, parameter, correlationId } = fault;
  const { status } = FAULT_ANSWERS[code];
  const title = STATUS_CODES[status] ?? '';
  const all = { ...headers, ...faultHeaders(fault) };
  if (wantsJson(request)) {
    const problem = { type: 'about:blank', title, status, detail: message, code, parameter, correlationId };
    answer(response, status, 'application/problem+json; charset=utf-8', JSON.stringify(problem), all);
  } else if (BROWSER.test(request.headers.accept ?? '')) {
    const page = pageOf(title, sentenceOf(fault));
    answer(response, status, HTML, page.html, { ...all, ...page.headers });
  } else {
    answer(response, status, TEXT, sentenceOf(fault), all);
  }
}
