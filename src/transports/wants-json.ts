import type { Request } from 'express';
import { LONGEST_PARSED_HEADER } from './media-type.ts';

const XML_OR_JSON = ['text/xml', 'application/xml', 'application/json', 'application/problem+json'];

/**
 * True if the caller's Accept header prefers JSON to XML. A caller that states no preference, or accepts anything (`*` + `/*`), receives
 * XML, as callers of such services always have. So does one whose header is longer than any that states a preference.
 */
export function wantsJson(request: Request): boolean {
  const accept = request.headers.accept;
  if (accept === undefined || accept.length > LONGEST_PARSED_HEADER || !/json/i.test(accept)) return false;
  if (accept.includes(';')) request.headers.accept = withoutParameters(accept);
  return request.accepts(XML_OR_JSON).toString().endsWith('json');
}

/**
 * The media ranges with no parameter but their weight: Express treats a range such as `application/json; charset=utf-8` as a different
 * type.
 */
const withoutParameters = (accept: string): string =>
  accept
    .split(',')
    .map((range) => {
      const [type = '', ...parameters] = range.split(';');
      return [type, ...parameters.filter((parameter) => /^\s*q\s*=/i.test(parameter))].join(';');
    })
    .join(',');
