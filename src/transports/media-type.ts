import { MIMEType } from 'node:util';

/** A Content-Type, its names in lower case. Source: RFC 9110, 8.3. */
export interface MediaType {
  /** `type/subtype` without parameters. */
  readonly essence: string;
  readonly charset: string | undefined;
  /** SOAP 1.2's action parameter. Source: RFC 3902. */
  readonly action: string | undefined;
}

const NONE: MediaType = { essence: '', charset: undefined, action: undefined };

/** Clients send few different headers, over and over; a caller that sends many must not fill the memory. */
const LARGEST_CACHE = 200;
const cache = new Map<string, MediaType>();

/** Reads a Content-Type header; one that is absent or malformed has the empty essence. */
export function readMediaType(header: string | undefined): MediaType {
  if (header === undefined) return NONE;
  const known = cache.get(header);
  if (known !== undefined) return known;
  const read = parse(header);
  if (cache.size >= LARGEST_CACHE) cache.clear();
  cache.set(header, read);
  return read;
}

function parse(header: string): MediaType {
  try {
    const { essence, params } = new MIMEType(header);
    return {
      essence,
      charset: params.get('charset')?.toLowerCase() ?? undefined,
      action: params.get('action') ?? undefined,
    };
  } catch {
    return NONE;
  }
}
