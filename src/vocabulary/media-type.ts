import { parse } from 'content-type';

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
export const LONGEST_PARSED_HEADER = 1024;

/**
 * Reads a Content-Type header; an absent one has an empty essence. Of several that a client joined with commas, the first counts. Not with
 * Node's MIMEType, whose time is quadratic.
 */
export function readMediaType(header = ''): MediaType {
  const { type, parameters } = parse(header.length > LONGEST_PARSED_HEADER ? '' : header, { comma: true });
  return { essence: type, charset: parameters.charset?.toLowerCase() || undefined, action: parameters.action };
}
