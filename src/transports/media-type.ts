import { parse } from 'content-type';
import type { Request } from 'express';
import { ServiceError } from '../vocabulary/errors.ts';
import { quoted } from '../vocabulary/text.ts';

/** A Content-Type. Source: RFC 9110, 8.3. */
export interface MediaType {
  /** What precedes the parameters, in lower case: `type/subtype` if the header is well-formed. */
  readonly essence: string;
  /** In lower case. */
  readonly charset: string | undefined;
  /** SOAP 1.2's action parameter. Source: RFC 3902. */
  readonly action: string | undefined;
}

/** Maximum length of a header that is parsed, in characters. A longer one is treated as malformed. */
const LONGEST_PARSED_HEADER = 1024;

/**
 * Reads a Content-Type header; an absent one has an empty essence. Of several that a client joined with commas, the first counts. Not with
 * Node's MIMEType, whose time is quadratic.
 */
export function readMediaType(header = ''): MediaType {
  const { type, parameters } = parse(header.length > LONGEST_PARSED_HEADER ? '' : header, { comma: true });
  return { essence: type, charset: parameters.charset?.toLowerCase() || undefined, action: parameters.action };
}

export function wrongMediaType({ essence }: MediaType, header: string | undefined, expected: string): ServiceError {
  const is = header === undefined ? 'is missing' : `"${quoted(essence || header)}" is not supported`;
  return new ServiceError('UnsupportedMediaType', `The Content-Type ${is}; expected ${expected}.`);
}

const XML_OR_JSON = ['text/xml', 'application/xml', 'application/json', 'application/problem+json'];

/**
 * True if the caller's Accept header prefers JSON to XML. A caller that states no preference, or accepts anything (`*` + `/*`), receives
 * XML, as callers of such services always have. So does one whose header is longer than any that states a preference.
 */
export function wantsJson(request: Request): boolean {
  const accept = request.headers.accept;
  if (accept === undefined || accept.length > LONGEST_PARSED_HEADER || !/json/i.test(accept)) return false;
  // Express treats a range with another parameter than its weight, such as `application/json; charset=utf-8`, as a different type.
  request.headers.accept = accept.replace(/;(?!\s*q\s*=)[^;,]*/gi, '');
  return request.accepts(XML_OR_JSON).toString().endsWith('json');
}
