import { createHash } from 'node:crypto';
import {
  BASE64_BINARY,
  type HeaderElement,
  PASSWORD_DIGEST,
  PASSWORD_TEXT,
  WSSE_NAMESPACE,
  WSU_NAMESPACE,
} from '../../../../src/access/ws-security/security-header.ts';

/** The parts of a UsernameToken; undefined ones are left out. */
export interface TokenParts {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** The Type attribute. */
  readonly type?: string | undefined;
  /** As in the message, in base64. */
  readonly nonce?: string | undefined;
  readonly encoding?: string | undefined;
  readonly created?: string | undefined;
}

/** `2026-11-20T03:00:00Z`, from milliseconds since the epoch. */
export const xmlTime = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

/** Base64(SHA-1(nonce + created + password)). Source: UsernameToken Profile 1.1, 3.1. */
const digestOf = (nonce: string, created: string, password: string): string =>
  createHash('sha1')
    .update(Buffer.concat([Buffer.from(nonce, 'base64'), Buffer.from(created + password)]))
    .digest('base64');

const element = (
  name: string,
  content: string | undefined,
  attributes: Readonly<Record<string, string | undefined>> = {},
) =>
  content === undefined
    ? ''
    : `<${name}${Object.entries(attributes)
        .filter(([, value]) => value !== undefined)
        .map(([attribute, value]) => ` ${attribute}="${value}"`)
        .join('')}>${content}</${name}>`;

export const usernameToken = ({ username, password, type, nonce, encoding, created }: TokenParts): string =>
  `<wsse:UsernameToken wsu:Id="t1">${element('wsse:Username', username)}${element('wsse:Password', password, { Type: type })}` +
  `${element('wsse:Nonce', nonce, { EncodingType: encoding })}${element('wsu:Created', created)}</wsse:UsernameToken>`;

/** A Security header; `attributes` may use the envelope's prefix. */
export const securityHeader = (content: string, attributes = ''): string =>
  `<wsse:Security xmlns:wsse="${WSSE_NAMESPACE}" xmlns:wsu="${WSU_NAMESPACE}" ${attributes}>${content}</wsse:Security>`;

export const textToken = (username: string, password: string): TokenParts => ({
  username,
  password,
  type: PASSWORD_TEXT,
});

/** A token with a digest, as a client creates it; `nonce` is base64. */
export const digestToken = (username: string, password: string, nonce: string, created: string): TokenParts => ({
  username,
  password: digestOf(nonce, created, password),
  type: PASSWORD_DIGEST,
  nonce,
  encoding: BASE64_BINARY,
  created,
});

/** The Security header with a token, as the reader of messages returns it. */
export function readHeader({ username, password, type, nonce, created }: TokenParts): readonly HeaderElement[] {
  const read = (localName: string, text: string | undefined, children: readonly HeaderElement[] = []) => {
    const namespace = localName === 'Created' ? WSU_NAMESPACE : WSSE_NAMESPACE;
    const attributes = localName === 'Password' && type ? [{ namespace: '', localName: 'Type', value: type }] : [];
    return text === undefined ? [] : [{ namespace, localName, attributes, children, text }];
  };
  const parts = [
    ...read('Username', username),
    ...read('Password', password),
    ...read('Nonce', nonce),
    ...read('Created', created),
  ];
  return read('Security', '', read('UsernameToken', '', parts));
}
