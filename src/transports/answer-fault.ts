import { STATUS_CODES } from 'node:http';
import type { Request, Response } from 'express';
import { answer, answerTextFault, HTML } from './answer.ts';
import { FAULT_ANSWERS, type Fault, faultHeaders } from './faults.ts';
import { wantsJson } from './media-type.ts';

/** A page for people, with its headers. */
export type PageOf = (
  title: string,
  sentence: string,
) => { readonly html: string; readonly headers: Readonly<Record<string, string>> };

/** All browsers send this type when somebody opens an address, and no HTTP library does by default. */
const BROWSER = /application\/xhtml\+xml/i;

/**
 * Answers a fault where no envelope is expected: with problem details if JSON is wanted (RFC 9457), with a page if a browser looks for what
 * does not exist, and otherwise with one sentence.
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
  } else if (status === 404 && BROWSER.test(request.headers.accept ?? '')) {
    const page = pageOf(title, message);
    answer(response, status, HTML, page.html, { ...all, ...page.headers });
  } else {
    answerTextFault(response, fault, headers);
  }
}
