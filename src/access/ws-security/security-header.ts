import { type SecurityFault, ServiceError } from '../../vocabulary/errors.ts';

// Source: OASIS Web Services Security: SOAP Message Security 1.1 and UsernameToken Profile 1.1. Version 1.1 kept the names of 1.0.
const OASIS = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss';

/** Security, UsernameToken and its contents; also the namespace of the fault codes. */
export const WSSE_NAMESPACE = `${OASIS}-wssecurity-secext-1.0.xsd`;
/** Timestamp, Created, Expires. */
export const WSU_NAMESPACE = `${OASIS}-wssecurity-utility-1.0.xsd`;
/** Values of a Password's Type. */
export const PASSWORD_TEXT = `${OASIS}-username-token-profile-1.0#PasswordText`;
export const PASSWORD_DIGEST = `${OASIS}-username-token-profile-1.0#PasswordDigest`;
/** The EncodingType of a Nonce. */
export const BASE64_BINARY = `${OASIS}-soap-message-security-1.0#Base64Binary`;

export const SECURITY_HEADER = { namespace: WSSE_NAMESPACE, localName: 'Security' } as const;

/** An attribute of an element in a header; `namespace` is empty if it has no prefix. */
interface HeaderAttribute {
  readonly namespace: string;
  readonly localName: string;
  readonly value: string;
}

/** An element of a SOAP header. The reader has already enforced the limits on depth, number of elements and lengths. */
export interface HeaderElement {
  readonly namespace: string;
  readonly localName: string;
  /** Without namespace declarations. */
  readonly attributes: readonly HeaderAttribute[];
  readonly children: readonly HeaderElement[];
  /** Its own text, with references and CDATA resolved and without comments. Its children have their own. */
  readonly text: string;
}

/** The error for a Security header that is refused. `reason` is for the log, `message` for the caller. */
export const securityError = (securityFault: SecurityFault, reason: string, message: string): ServiceError =>
  new ServiceError('Unauthorized', message, { reason, securityFault });
