import { constants, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, DEFAULT_CIPHERS, type SecureContextOptions } from 'node:tls';
import { readNamedFile } from '../settings/named-file.ts';
import { SetUpError } from '../vocabulary/errors.ts';

/** Paths of PEM files. Source: the settings. */
export interface TlsSettings {
  readonly cert: string;
  readonly key: string;
  readonly clientCa: string | undefined;
  readonly clientCertRequired: boolean;
}

/** What a TLS server is created from. */
export interface TlsMaterial extends SecureContextOptions {
  readonly requestCert: boolean;
  readonly rejectUnauthorized: boolean;
}

/** Older versions are broken. Source: RFC 8996. */
const OLDEST_TLS = 'TLSv1.2';
/**
 * Node's own, without those that would allow anyone who obtains the certificate's key to decrypt traffic recorded earlier. Source: RFC
 * 9325, 4.1.
 */
const CIPHERS = `${DEFAULT_CIPHERS}:!kRSA`;

/**
 * Reads the files. Throws SetUpError, with an explanation, if one is missing or not PEM, if certificate and key do not match, or if OpenSSL
 * considers them too weak. `now` is in ms; an expired certificate is an error, because no client would accept it.
 */
export function readTlsFiles({ cert, key, clientCa, clientCertRequired }: TlsSettings, now: number): TlsMaterial {
  const certText = readNamedFile(`TLS_CERT=${cert}`, cert);
  const certificate = read('TLS_CERT', cert, 'a certificate in PEM', () => new X509Certificate(certText));
  if (certificate.validToDate.getTime() <= now) {
    throw new SetUpError(
      `TLS_CERT=${cert}: expected a certificate that is still valid; it expired on ${certificate.validTo}.`,
    );
  }
  const ca = clientCa === undefined ? undefined : readNamedFile(`TLS_CLIENT_CA=${clientCa}`, clientCa);
  if (ca !== undefined) {
    read('TLS_CLIENT_CA', clientCa ?? '', 'certificates in PEM', () => new X509Certificate(ca));
  }
  const material: TlsMaterial = {
    cert: certText,
    key: readNamedFile(`TLS_KEY=${key}`, key),
    minVersion: OLDEST_TLS,
    ciphers: CIPHERS,
    // A renegotiation costs us far more than the client that requests it. No client needs it, and TLS 1.3 does not have it.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    requestCert: ca !== undefined,
    rejectUnauthorized: clientCertRequired,
    ...(ca === undefined ? {} : { ca }),
  };
  try {
    createSecureContext(material);
  } catch (error) {
    const expected = `expected the private key of ${cert} in PEM, without a passphrase, both strong enough for OpenSSL`;
    throw new SetUpError(`TLS_KEY=${key}: ${expected}, which says: ${(error as Error).message}.`);
  }
  return material;
}

function read<T>(setting: string, path: string, expected: string, from: () => T): T {
  try {
    return from();
  } catch {
    throw new SetUpError(`${setting}=${path}: expected ${expected}.`);
  }
}

/**
 * Returns whether the files' contents differ from those at its last call, or at first from those now. Contents rather than names or times,
 * because links and folders on the way to a file may be replaced, too. Of a file that cannot be read, the error is compared.
 */
export function changesOf({ cert, key, clientCa = cert }: TlsSettings): () => boolean {
  const contents = () => [cert, key, clientCa].map(contentOf).join('\n');
  let before = contents();
  return () => {
    const now = contents();
    const isChanged = now !== before;
    before = now;
    return isChanged;
  };
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    return String(error);
  }
}
