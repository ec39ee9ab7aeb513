import type { Request } from 'express';

/**
 * True if the caller's Accept header prefers JSON to XML. A caller that says nothing, or anything (`*` + `/*`), gets the XML
 * that callers of such services have always got.
 */
export function wantsJson(request: Request): boolean {
  const accept = request.headers.accept;
  if (accept === undefined || !/json/i.test(accept)) return false;
  return (
    request
      .accepts(['text/xml', 'application/xml', 'application/json', 'application/problem+json'])
      ?.toString()
      .endsWith('json') === true
  );
}
