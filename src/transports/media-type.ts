import type { Request } from 'express';
import { ServiceError } from '../vocabulary/errors.ts';
import { LONGEST_PARSED_HEADER, type MediaType } from '../vocabulary/media-type.ts';
import { quoted } from '../vocabulary/text.ts';

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
