import { isUtf8 } from 'node:buffer';

/** A name and a password, as sent by a caller. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/**
 * The credentials in an Authorization header with the scheme Basic; undefined if there is no header or it has another scheme, `malformed`
 * if it cannot be read. Old programs send Latin-1 instead of the standard's UTF-8. Source: RFC 7617.
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
