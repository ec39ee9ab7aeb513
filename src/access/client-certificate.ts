import { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { SetUpError } from '../vocabulary/errors.ts';
import type { RequestOrigin } from './request-origin.ts';

/**
 * SHA-256 fingerprint of the certificate that the caller has proved to hold, 64 hexadecimal digits; undefined if there is none. Over our
 * own TLS, this is only a certificate that an issuer in TLS_CLIENT_CA has signed and that is valid now (`now`, ms), because a connection
 * may outlive it. Behind a trusted proxy there is none, unless proxies are believed (`believesProxies`): then it is what the proxy sent,
 * either the fingerprint (`X-Client-Cert-Fingerprint`) or the certificate as percent-encoded PEM (`X-Client-Cert`).
 */
export function certificateOf(
  request: IncomingMessage,
  { viaProxy }: RequestOrigin,
  believesProxies: boolean,
  now: number,
): string | undefined {
  if (viaProxy) return believesProxies ? forwardedCertificate(request) : undefined;
  const socket = request.socket as Partial<TLSSocket>;
  const isProved = socket.encrypted === true && socket.authorized === true;
  const certificate = isProved ? socket.getPeerX509Certificate?.() : undefined;
  if (certificate === undefined || certificate.validToDate.getTime() <= now) return undefined;
  return plainFingerprint(certificate.fingerprint256);
}

function forwardedCertificate({ headers }: IncomingMessage): string | undefined {
  const fingerprint = headers['x-client-cert-fingerprint'];
  if (typeof fingerprint === 'string' && fingerprint !== '') return plainFingerprint(fingerprint.trim());
  const certificate = headers['x-client-cert'];
  if (typeof certificate !== 'string') return undefined;
  try {
    return plainFingerprint(new X509Certificate(decodeURIComponent(certificate)).fingerprint256);
  } catch {
    return undefined;
  }
}

/** A fingerprint in the form used for comparison: lower case, without colons. */
export const plainFingerprint = (text: string): string => text.replaceAll(':', '').toLowerCase();

const PEM = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** Each certificate in a text, at least one. Throws SetUpError with what is expected. */
export function certificatesIn(text: string): readonly X509Certificate[] {
  try {
    return (text.match(PEM) ?? [text]).map((pem) => new X509Certificate(pem));
  } catch {
    throw new SetUpError('expected certificates in PEM');
  }
}
