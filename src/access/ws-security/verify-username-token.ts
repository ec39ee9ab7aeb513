import { createHash, timingSafeEqual } from 'node:crypto';
import type { UsernameToken } from './read-username-token.ts';
import { securityError } from './security-error.ts';

/** Keeps a nonce until `expiresOn` (ms); false if it was there: the message was sent before. Whoever asks first wins, in whatever process. */
export type TakeNonce = (nonceHash: string, expiresOn: number, now: number) => Promise<boolean>;

/** What is known of the user that a token names. */
export interface TokenSecrets {
  /** There is such a user. */
  readonly known: boolean;
  /** The password itself: a digest is made of it. */
  readonly wsPassword: string | undefined;
  /** Whether a password is this user's. Takes the same time where there is no such user. */
  isPassword(password: string): Promise<boolean>;
}

export interface TokenCircumstances {
  /** Nobody between the client and us could read the message. */
  readonly secure: boolean;
  /** Instant, ms. */
  readonly now: number;
  /** How far the clocks may be apart, ms. */
  readonly skew: number;
  readonly takeNonce: TakeNonce;
}

/** How long a nonce is kept after its message has become too old, ms: the clocks of two processes may differ by that. */
const NONCE_MARGIN = 60_000;

/**
 * Resolves if the token proves that its user sends it, now and for the first time; throws ServiceError `Unauthorized` if not. Its words
 * do not tell which of user, password, nonce and time was wrong; `reason` does.
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
      'PasswordText is taken over TLS only; expected a PasswordDigest.',
    );
  }
  if (createdOn !== undefined && createdOn + skew < now) throw failed('ws-created-stale');
  if (createdOn !== undefined && createdOn - skew > now) throw failed('ws-created-future');

  const isProof =
    token.passwordType === 'text' ? await secrets.isPassword(token.password) : isDigest(token, secrets.wsPassword);
  if (!isProof) throw failed(whyNoProof(token, secrets));

  // Only what is proved is kept: strangers can neither fill the table nor use up somebody's nonce.
  if (token.nonce === undefined || createdOn === undefined) return;
  const isNew = await takeNonce(nonceHashOf(token.username, token.nonce), createdOn + skew + NONCE_MARGIN, now);
  if (!isNew) throw failed('ws-nonce-replayed');
}

function whyNoProof({ passwordType }: UsernameToken, { known, wsPassword }: TokenSecrets): string {
  if (!known) return 'ws-unknown-user';
  return passwordType === 'digest' && wsPassword === undefined ? 'ws-no-password-for-digests' : 'ws-wrong-password';
}

/** Stands for the password of a user that has none, so that nobody is told who has one by the time that it takes. */
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

/** The table holds no nonce of a running client in clear. */
const nonceHashOf = (username: string, nonce: Buffer): string =>
  createHash('sha256').update(username).update('\0').update(nonce).digest('base64');

const failed = (reason: string) =>
  securityError('FailedAuthentication', reason, 'The security token could not be authenticated or authorized.');

const expired = (reason: string) => securityError('MessageExpired', reason, 'The message has expired.');
