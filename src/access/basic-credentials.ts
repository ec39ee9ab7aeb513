import { isUtf8 } from 'node:buffer';

/** A name and a password, as a caller gives them. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/**
 * What an Authorization header of the scheme Basic holds; undefined for another scheme or none, `malformed` if it can't be read.
 * Old programs send Latin-1 where the standard wants UTF-8. Source: RFC 7617.
 */
export function readBasicCredentials(header: string | undefined): Credentials | 'malformed' | undefined {
  if (header === undefined || !/^basic(?: |$)/i.test(header)) return undefined;
  const text = header.slice('basic'.length).trimStart();
  if (!/^[A-Za-z0-9+/_-]+=*$/.test(text)) return 'malformed';
  const bytes = Buffer.from(text, 'base64');
  const pair = bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
  const colon = pair.indexOf(':');
  return colon === -1 ? 'malformed' : { username: pair.slice(0, colon), password: pair.slice(colon + 1) };
}
