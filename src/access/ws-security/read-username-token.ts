import { parseXsdDateTime } from '../../contract/xsd-date-time.ts';
import { shown } from '../../vocabulary/text.ts';
import { trimXmlSpace } from '../../xml/xml-characters.ts';
import { isTooLong, LONGEST_SECRET } from '../secret-hash.ts';
import type { HeaderElement } from './header-element.ts';
import { BASE64_BINARY, PASSWORD_DIGEST, PASSWORD_TEXT, WSSE_NAMESPACE, WSU_NAMESPACE } from './namespaces.ts';
import { securityError } from './security-error.ts';

/** The contents of a Security header: who is calling, with what proof, and for how long it is valid. */
export interface UsernameToken {
  readonly username: string;
  readonly passwordType: 'text' | 'digest';
  /** The password, or the digest's 20 bytes in base64. */
  readonly password: string;
  /** 8 to 64 bytes. Always present with a digest. */
  readonly nonce: Buffer | undefined;
  /** As it was written, without surrounding white space, because the digest is computed from this text. Always present with a nonce. */
  readonly created: string | undefined;
  /** The same as an instant, ms. */
  readonly createdOn: number | undefined;
  /** Instants, ms, of the header's Timestamp. */
  readonly timestamp: { readonly createdOn: number | undefined; readonly expiresOn: number | undefined };
}

/** Length of a nonce in bytes: shorter ones could be guessed or repeated by chance, and nobody needs longer ones. */
const NONCE_BYTES = { least: 8, most: 64 } as const;
const DIGEST_BYTES = 20;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const SIGNATURE_NAMESPACES: ReadonlySet<string> = new Set([
  'http://www.w3.org/2000/09/xmldsig#',
  'http://www.w3.org/2001/04/xmlenc#',
]);

/**
 * The only UsernameToken in the Security headers that are addressed to us. Throws ServiceError `Unauthorized` with the WS-Security fault if
 * they contain anything else, because nothing that the sender relies on may be ignored.
 * Source: SOAP Message Security 1.1, 5 and 10; UsernameToken Profile 1.1, 3.
 */
export function readUsernameToken(headers: readonly HeaderElement[]): UsernameToken {
  const [header, second] = headers;
  if (header === undefined || second !== undefined) {
    throw securityError('InvalidSecurity', 'ws-security-twice', 'There are several Security headers; expected one.');
  }
  let token: HeaderElement | undefined;
  let timestamp: HeaderElement | undefined;
  for (const child of elementsOf(header)) {
    if (isNamed(child, WSSE_NAMESPACE, 'UsernameToken')) token = onlyOne(token, child);
    else if (isNamed(child, WSU_NAMESPACE, 'Timestamp')) timestamp = onlyOne(timestamp, child);
    else throw unsupported(child);
  }
  if (token === undefined) {
    throw securityError('InvalidSecurity', 'ws-token-missing', 'The Security header contains no UsernameToken.');
  }
  return { ...tokenOf(token), timestamp: timestamp === undefined ? NO_TIMESTAMP : timestampOf(timestamp) };
}

const NO_TIMESTAMP = { createdOn: undefined, expiresOn: undefined };

function tokenOf(token: HeaderElement): Omit<UsernameToken, 'timestamp'> {
  let username: HeaderElement | undefined;
  let password: HeaderElement | undefined;
  let nonce: HeaderElement | undefined;
  let created: HeaderElement | undefined;
  for (const child of elementsOf(token)) {
    if (isNamed(child, WSSE_NAMESPACE, 'Username')) username = onlyOne(username, child);
    else if (isNamed(child, WSSE_NAMESPACE, 'Password')) password = onlyOne(password, child);
    else if (isNamed(child, WSSE_NAMESPACE, 'Nonce')) nonce = onlyOne(nonce, child);
    else if (isNamed(child, WSU_NAMESPACE, 'Created')) created = onlyOne(created, child);
    else throw invalidToken('element', `The element ${shown(child.localName)} is not expected in the UsernameToken.`);
  }
  if (username === undefined || textOf(username) === '') {
    throw invalidToken('username-missing', 'The UsernameToken has no Username.');
  }
  if (password === undefined) throw invalidToken('password-missing', 'The UsernameToken has no Password.');
  for (const part of [username, password, nonce, created]) {
    if (part === undefined || !isTooLong(part.text)) continue;
    throw invalidToken('too-long', `The ${part.localName} is longer than ${LONGEST_SECRET} bytes.`);
  }
  const passwordType = passwordTypeOf(password);
  if (passwordType === 'digest' && nonce === undefined) {
    throw invalidToken('nonce-missing', 'The UsernameToken has no Nonce, which a PasswordDigest needs.');
  }
  if (nonce !== undefined && created === undefined) {
    throw invalidToken('created-missing', 'The UsernameToken has a Nonce but no Created; expected both.');
  }
  const createdText = created === undefined ? undefined : trimXmlSpace(textOf(created));
  return {
    username: textOf(username),
    passwordType,
    password: passwordType === 'text' ? textOf(password) : digestOf(password),
    nonce: nonce === undefined ? undefined : nonceOf(nonce),
    created: createdText,
    createdOn: created === undefined ? undefined : instantOf(created),
  };
}

function passwordTypeOf(password: HeaderElement): UsernameToken['passwordType'] {
  const type = attributeOf(password, 'Type') ?? PASSWORD_TEXT;
  if (type === PASSWORD_TEXT) return 'text';
  if (type === PASSWORD_DIGEST) return 'digest';
  throw securityError(
    'UnsupportedSecurityToken',
    'ws-password-type',
    `The Password has Type "${shown(type)}"; expected PasswordText or PasswordDigest.`,
  );
}

function digestOf(password: HeaderElement): string {
  const digest = trimXmlSpace(textOf(password));
  if (BASE64.test(digest) && Buffer.from(digest, 'base64').length === DIGEST_BYTES) return digest;
  throw invalidToken('digest-form', 'The PasswordDigest is not a SHA-1 digest in base64.');
}

function nonceOf(nonce: HeaderElement): Buffer {
  const encoding = attributeOf(nonce, 'EncodingType') ?? BASE64_BINARY;
  if (encoding !== BASE64_BINARY) {
    throw invalidToken('nonce-encoding', `The Nonce has EncodingType "${shown(encoding)}"; expected Base64Binary.`);
  }
  // Base64 in XML Schema may contain white space.
  const text = textOf(nonce).replace(/[ \t\r\n]/g, '');
  const bytes = Buffer.from(text, 'base64');
  const { least, most } = NONCE_BYTES;
  if (BASE64.test(text) && bytes.length >= least && bytes.length <= most) return bytes;
  throw invalidToken('nonce-form', `The Nonce is not valid; expected ${least} to ${most} bytes in base64.`);
}

function timestampOf(timestamp: HeaderElement): UsernameToken['timestamp'] {
  let created: HeaderElement | undefined;
  let expires: HeaderElement | undefined;
  for (const child of elementsOf(timestamp)) {
    if (isNamed(child, WSU_NAMESPACE, 'Created')) created = onlyOne(created, child);
    else if (isNamed(child, WSU_NAMESPACE, 'Expires')) expires = onlyOne(expires, child);
    else {
      const name = shown(child.localName);
      throw securityError('InvalidSecurity', 'ws-element', `The element ${name} is not expected in the Timestamp.`);
    }
  }
  return {
    createdOn: created === undefined ? undefined : instantOf(created),
    expiresOn: expires === undefined ? undefined : instantOf(expires),
  };
}

/** Milliseconds since the epoch. A time without an offset is UTC: SOAP Message Security 1.1, 10. */
function instantOf(element: HeaderElement): number {
  const value = parseXsdDateTime(trimXmlSpace(textOf(element)));
  if (typeof value === 'string' || value.date === undefined || value.time === undefined) throw noDate(element);
  const { year, month, day } = value.date;
  const { hour, minute, second, fraction } = value.time;
  const milliseconds = Number(`${fraction}000`.substring(0, 3));
  const instant = Date.UTC(year, month - 1, day, hour, minute - (value.offset ?? 0), second, milliseconds);
  // Outside the range of JavaScript's dates, every comparison would be false, so that no message would ever be too old or too new.
  if (Number.isNaN(instant)) throw noDate(element);
  return instant;
}

const noDate = ({ localName }: HeaderElement) =>
  securityError('InvalidSecurity', 'ws-date', `${localName} is not a dateTime such as 2027-01-18T10:15:00Z.`);

// --- Elements

const isNamed = (element: HeaderElement, namespace: string, localName: string): boolean =>
  element.localName === localName && element.namespace === namespace;

const attributeOf = (element: HeaderElement, name: string): string | undefined =>
  element.attributes.find(({ namespace, localName }) => namespace === '' && localName === name)?.value.trim();

/** The children of an element that contains nothing else. */
function elementsOf(element: HeaderElement): readonly HeaderElement[] {
  if (trimXmlSpace(element.text) === '') return element.children;
  throw securityError('InvalidSecurity', 'ws-text', `Text is not expected in ${element.localName}.`);
}

/** The text of an element that contains nothing else, unchanged: white space is part of a password. */
function textOf(element: HeaderElement): string {
  if (element.children.length === 0) return element.text;
  throw securityError('InvalidSecurity', 'ws-element', `Elements are not expected in ${element.localName}.`);
}

function onlyOne(known: HeaderElement | undefined, found: HeaderElement): HeaderElement {
  if (known === undefined) return found;
  throw securityError(
    'InvalidSecurity',
    'ws-element-twice',
    `There are several ${found.localName} elements; expected one.`,
  );
}

const invalidToken = (reason: string, message: string) =>
  securityError('InvalidSecurityToken', `ws-${reason}`, message);

/** A signature that is not checked protects nothing, and a token that is not read identifies nobody, so both are refused. */
function unsupported({ namespace, localName }: HeaderElement) {
  const message = `The Security header contains ${shown(localName)}, which is not supported; expected a UsernameToken.`;
  const fault = SIGNATURE_NAMESPACES.has(namespace) ? 'UnsupportedAlgorithm' : 'UnsupportedSecurityToken';
  return securityError(fault, 'ws-unsupported', message);
}
