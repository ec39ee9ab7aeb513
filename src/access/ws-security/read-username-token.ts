import type { ServiceError } from '../../vocabulary/errors.ts';
import { quoted } from '../../vocabulary/text.ts';
import { trimXmlSpace } from '../../xml/xml-characters.ts';
import { isTooLong, LONGEST_SECRET } from '../secret-hash.ts';
import {
  BASE64_BINARY,
  type HeaderElement,
  PASSWORD_DIGEST,
  PASSWORD_TEXT,
  securityError,
  WSSE_NAMESPACE,
  WSU_NAMESPACE,
} from './security-header.ts';

/** The contents of a Security header: who is calling, with what proof, and for how long it is valid. */
export type UsernameToken = Readonly<ReturnType<typeof readUsernameToken>>;

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
export function readUsernameToken(headers: readonly HeaderElement[]) {
  const [header, second] = headers;
  if (header === undefined || second !== undefined) {
    throw securityError('InvalidSecurity', 'ws-security-twice', 'There are several Security headers; expected one.');
  }
  const { UsernameToken, Timestamp } = childrenOf(header, SECURITY, unsupported);
  if (UsernameToken === undefined) {
    throw securityError('InvalidSecurity', 'ws-token-missing', 'The Security header contains no UsernameToken.');
  }
  const { Created, Expires } = Timestamp === undefined ? {} : childrenOf(Timestamp, TIMESTAMP, notInTimestamp);
  return {
    ...tokenOf(UsernameToken),
    /** Instants, ms, of the header's Timestamp. */
    timestamp: { createdOn: Created && instantOf(Created), expiresOn: Expires && instantOf(Expires) },
  };
}

function tokenOf(token: HeaderElement) {
  const { Username, Password, Nonce, Created } = childrenOf(token, USERNAME_TOKEN, notInToken);
  if (Username === undefined || elementText(Username) === '') {
    throw invalidToken('username-missing', 'The UsernameToken has no Username.');
  }
  if (Password === undefined) throw invalidToken('password-missing', 'The UsernameToken has no Password.');
  for (const part of [Username, Password, Nonce, Created]) {
    if (part === undefined || !isTooLong(part.text)) continue;
    throw invalidToken('too-long', `The ${part.localName} is longer than ${LONGEST_SECRET} bytes.`);
  }
  const passwordType = passwordTypeOf(Password);
  if (passwordType === 'digest' && Nonce === undefined) {
    throw invalidToken('nonce-missing', 'The UsernameToken has no Nonce, which a PasswordDigest needs.');
  }
  if (Nonce !== undefined && Created === undefined) {
    throw invalidToken('created-missing', 'The UsernameToken has a Nonce but no Created; expected both.');
  }
  return {
    username: elementText(Username),
    passwordType,
    /** The password, or the digest's 20 bytes in base64. */
    password: passwordType === 'text' ? elementText(Password) : digestOf(Password),
    /** 8 to 64 bytes. Always present with a digest. */
    nonce: Nonce && nonceOf(Nonce),
    /** As it was written, without surrounding white space, because the digest is computed from this text. Always present with a nonce. */
    created: Created && trimXmlSpace(elementText(Created)),
    /** The instant that `created` means, ms. */
    createdOn: Created && instantOf(Created),
  };
}

function passwordTypeOf(password: HeaderElement) {
  const type = attributeOf(password, 'Type') ?? PASSWORD_TEXT;
  if (type === PASSWORD_TEXT) return 'text';
  if (type === PASSWORD_DIGEST) return 'digest';
  const message = `The Password has Type "${quoted(type)}"; expected PasswordText or PasswordDigest.`;
  throw securityError('UnsupportedSecurityToken', 'ws-password-type', message);
}

function digestOf(password: HeaderElement): string {
  const digest = trimXmlSpace(elementText(password));
  if (BASE64.test(digest) && Buffer.from(digest, 'base64').length === DIGEST_BYTES) return digest;
  throw invalidToken('digest-form', 'The PasswordDigest is not a SHA-1 digest in base64.');
}

function nonceOf(nonce: HeaderElement): Buffer {
  const encoding = attributeOf(nonce, 'EncodingType') ?? BASE64_BINARY;
  if (encoding !== BASE64_BINARY) {
    throw invalidToken('nonce-encoding', `The Nonce has EncodingType "${quoted(encoding)}"; expected Base64Binary.`);
  }
  // Base64 in XML Schema may contain white space.
  const text = elementText(nonce).replace(/[ \t\r\n]/g, '');
  const bytes = Buffer.from(text, 'base64');
  const { least, most } = NONCE_BYTES;
  if (BASE64.test(text) && bytes.length >= least && bytes.length <= most) return bytes;
  throw invalidToken('nonce-form', `The Nonce is not valid; expected ${least} to ${most} bytes in base64.`);
}

/** Milliseconds since the epoch. A time without an offset is UTC: SOAP Message Security 1.1, 10. */
function instantOf(element: HeaderElement): number {
  const text = trimXmlSpace(elementText(element));
  try {
    return Temporal.Instant.from(/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`).epochMilliseconds;
  } catch {
    const message = `${element.localName} is not a dateTime such as 2027-01-18T10:15:00Z.`;
    throw securityError('InvalidSecurity', 'ws-date', message);
  }
}

const attributeOf = (element: HeaderElement, name: string): string | undefined =>
  element.attributes.find(({ namespace, localName }) => namespace === '' && localName === name)?.value.trim();

const SECURITY = { UsernameToken: WSSE_NAMESPACE, Timestamp: WSU_NAMESPACE };
const USERNAME_TOKEN = {
  Username: WSSE_NAMESPACE,
  Password: WSSE_NAMESPACE,
  Nonce: WSSE_NAMESPACE,
  Created: WSU_NAMESPACE,
};
const TIMESTAMP = { Created: WSU_NAMESPACE, Expires: WSU_NAMESPACE };

/** The children of an element that contains nothing else, by name, each at most once. `namespaces`: of those that it may have. */
function childrenOf<Name extends string>(
  element: HeaderElement,
  namespaces: Readonly<Record<Name, string>>,
  notExpected: (child: HeaderElement) => ServiceError,
): Partial<Record<Name, HeaderElement>> {
  if (trimXmlSpace(element.text) !== '') {
    throw securityError('InvalidSecurity', 'ws-text', `Text is not expected in ${element.localName}.`);
  }
  const found: Partial<Record<string, HeaderElement>> = {};
  for (const child of element.children) {
    const { localName, namespace } = child;
    if (!Object.hasOwn(namespaces, localName) || namespaces[localName as Name] !== namespace) throw notExpected(child);
    if (found[localName] !== undefined) {
      const message = `There are several ${localName} elements; expected one.`;
      throw securityError('InvalidSecurity', 'ws-element-twice', message);
    }
    found[localName] = child;
  }
  return found;
}

/** The text of an element that contains nothing else, unchanged: white space is part of a password. */
function elementText(element: HeaderElement): string {
  if (element.children.length === 0) return element.text;
  throw securityError('InvalidSecurity', 'ws-element', `Elements are not expected in ${element.localName}.`);
}

const notInToken = ({ localName }: HeaderElement) =>
  invalidToken('element', `The element ${quoted(localName)} is not expected in the UsernameToken.`);

const notInTimestamp = ({ localName }: HeaderElement) =>
  securityError('InvalidSecurity', 'ws-element', `The element ${quoted(localName)} is not expected in the Timestamp.`);

const invalidToken = (reason: string, message: string) =>
  securityError('InvalidSecurityToken', `ws-${reason}`, message);

/** A signature that is not checked protects nothing, and a token that is not read identifies nobody, so both are refused. */
function unsupported({ namespace, localName }: HeaderElement) {
  const message = `The Security header contains ${quoted(localName)}, which is not supported; expected a UsernameToken.`;
  const fault = SIGNATURE_NAMESPACES.has(namespace) ? 'UnsupportedAlgorithm' : 'UnsupportedSecurityToken';
  return securityError(fault, 'ws-unsupported', message);
}
