import { MIMEType } from 'node:util';
import { LRUCache } from 'lru-cache';

/** A Content-Type, with its names in lower case. Source: RFC 9110, 8.3. */
export interface MediaType {
  /** `type/subtype` without parameters. */
  readonly essence: string;
  readonly charset: string | undefined;
  /** SOAP 1.2's action parameter. Source: RFC 3902. */
  readonly action: string | undefined;
}

const NONE: MediaType = { essence: '', charset: undefined, action: undefined };

/** Clients send a few different headers, over and over. A caller that sends many different ones must not fill the memory. */
const kept = new LRUCache<string, MediaType>({ max: 200, memoMethod: parse });

/** Reads a Content-Type header; an absent or malformed one has an empty essence. */
export const readMediaType = (header = ''): MediaType => kept.memo(header);

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
