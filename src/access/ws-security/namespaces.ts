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

/** The header block that contains a UsernameToken. */
export const SECURITY_HEADER = { namespace: WSSE_NAMESPACE, localName: 'Security' } as const;
