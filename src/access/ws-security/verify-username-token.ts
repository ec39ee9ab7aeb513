import { createHash, timingSafeEqual } from 'node:crypto';
import type { UsernameToken } from './read-username-token.ts';
import { securityError } from './security-error.ts';

/**
 * Stores a nonce until `expiresOn` (ms). Returns false if it is already stored, which means that the message was sent before. The first
 * call wins, whichever process it is in.
 */
export type TakeNonce = (nonceHash: string, expiresOn: number, now: number) => Promise<boolean>;

/** What is known about the user that a token names. */
export interface TokenSecrets {
  /** Whether such a user exists. */
  readonly known: boolean;
  /** The password itself, from which a digest is computed. */
  readonly wsPassword: string | undefined;
  /** Whether a password is this user's. Takes the same time if there is no such user. */
  isPassword(password: string): Promise<boolean>;
}

export interface TokenCircumstances {
  /** Whether nobody between the client and us could read the message. */
  readonly secure: boolean;
  /** Instant, ms. */
  readonly now: number;
  /** By how much the clocks may differ, ms. */
  readonly skew: number;
  readonly takeNonce: TakeNonce;
}

/** How long a nonce is kept after its message has become too old, ms. The clocks of two processes may differ by this much. */
const NONCE_MARGIN = 60_000;

/**
 * Resolves if the token proves that its user is sending it, now and for the first time. Otherwise throws ServiceError `Unauthorized`, whose
 * message does not reveal which of user, password, nonce and time was wrong; `reason` does.
 * Source: UsernameToken Profile 1.1, 3.1 and 4; SOAP Message Security 1.1, 12.
 */
export async function verifyUsernameToken(
  token: UsernameToken,
  secrets: TokenSecrets,
  { secure, now, skew, takeNonce }: TokenCircumstances,
): Promise<void> {
  const { timestamp, createdOn } = token;
  if (timestamp.expiresOn !== undefined && timestamp.expiresOn + skew <= now) throw expired('ws-timestamp-expired');
  if (timestamp.createdOn !== undefined && timestamp.createdOn - skew > now) throw failed('ws-timestamp-future');
  if (token.passwordType === 'text' && !secure) {
    throw securityError(
      'InvalidSecurityToken',
      'ws-text-without-tls',
      'PasswordText is accepted only over TLS; expected a PasswordDigest.',
    );
  }
  if (createdOn !== undefined && createdOn + skew < now) throw failed('ws-created-stale');
  if (createdOn !== undefined && createdOn - skew > now) throw failed('ws-created-future');

  const isProof =
    token.passwordType === 'text' ? await secrets.isPassword(token.password) : isDigest(token, secrets.wsPassword);
  if (!isProof) throw failed(whyNoProof(token, secrets));

  // Only nonces of proved tokens are stored, so that strangers can neither fill the table nor use up somebody's nonce.
  if (token.nonce === undefined || createdOn === undefined) return;
  const isNew = await takeNonce(nonceHashOf(token.username, token.nonce), createdOn + skew + NONCE_MARGIN, now);
  if (!isNew) throw failed('ws-nonce-replayed');
}

function whyNoProof({ passwordType }: UsernameToken, { known, wsPassword }: TokenSecrets): string {
  if (!known) return 'ws-unknown-user';
  return passwordType === 'digest' && wsPassword === undefined ? 'ws-no-password-for-digests' : 'ws-wrong-password';
}

/** Used in place of the password of a user that has none, so that the timing does not reveal who has one. */
const NO_PASSWORD = 'a user without a password for digests';

/** Base64(SHA-1(nonce + created + password)), compared in constant time. Source: UsernameToken Profile 1.1, 3.1. */
function isDigest({ nonce, created, password }: UsernameToken, wsPassword: string | undefined): boolean {
  const expected = createHash('sha1')
    .update(nonce ?? '')
    .update(created ?? '')
    .update(wsPassword ?? NO_PASSWORD)
    .digest();
  const given = Buffer.from(password, 'base64');
  const isEqual = given.length === expected.length && timingSafeEqual(given, expected);
  return isEqual && wsPassword !== undefined;
}

/** Hashed, so that the table does not contain active clients' nonces in plain text. */
const nonceHashOf = (username: string, nonce: Buffer): string =>
  createHash('sha256').update(username).update('\0').update(nonce).digest('base64');

const failed = (reason: string) =>
  securityError('FailedAuthentication', reason, 'The security token could not be authenticated or authorized.');

const expired = (reason: string) => securityError('MessageExpired', reason, 'The message has expired.');
