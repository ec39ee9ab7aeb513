import { createHash, timingSafeEqual } from 'node:crypto';
import type { UsernameToken } from './read-username-token.ts';
import { securityError } from './security-header.ts';

/**
 * Stores a nonce until `expiresOn` (ms). Returns false if it is already stored, which means that the message was sent before. The first
 * call wins, whichever process it is in.
 */
export type TakeNonce = (nonceHash: string, expiresOn: number, now: number) => Promise<boolean>;

/** What is known about the user that a token names, and about the message that contains it. */
export interface TokenCircumstances {
  readonly isKnown: boolean;
  /** The password itself, from which a digest is computed. */
  readonly wsPassword: string | undefined;
  /** Whether a password is this user's. Takes the same time if there is no such user. */
  isPassword(password: string): Promise<boolean>;
  /** Runs the check of a digest, and slows down the caller if the digest is wrong. */
  checkDigest(isRight: () => boolean): Promise<boolean>;
  /** Whether nobody between the client and us could read the message. */
  readonly secure: boolean;
  /** Instant, ms. */
  readonly now: number;
  readonly takeNonce: TakeNonce;
}

/** By how much a client's clock may differ from ours. Source: UsernameToken Profile 1.1, 3.1, which recommends five minutes. */
const CLOCK_SKEW_MS = 5 * 60_000;

/** How long a nonce is kept after its message has become too old. The clocks of two processes may differ by this much. */
const NONCE_MARGIN_MS = 60_000;

/**
 * Resolves if the token proves that its user is sending it, now and for the first time. Otherwise throws ServiceError `Unauthorized`, whose
 * message does not reveal which of user, password, nonce and time was wrong; `reason` does.
 * Source: UsernameToken Profile 1.1, 3.1 and 4; SOAP Message Security 1.1, 12.
 */
export async function verifyUsernameToken(token: UsernameToken, circumstances: TokenCircumstances): Promise<void> {
  const { wsPassword, secure, now, takeNonce } = circumstances;
  const { timestamp, createdOn } = token;
  if (timestamp.expiresOn !== undefined && timestamp.expiresOn + CLOCK_SKEW_MS <= now)
    throw expired('ws-timestamp-expired');
  if (timestamp.createdOn !== undefined && timestamp.createdOn - CLOCK_SKEW_MS > now)
    throw failed('ws-timestamp-future');
  if (token.passwordType === 'text' && !secure) {
    const message = 'PasswordText is accepted only over TLS; expected a PasswordDigest.';
    throw securityError('InvalidSecurityToken', 'ws-text-without-tls', message);
  }
  if (createdOn !== undefined && createdOn + CLOCK_SKEW_MS < now) throw failed('ws-created-stale');
  if (createdOn !== undefined && createdOn - CLOCK_SKEW_MS > now) throw failed('ws-created-future');

  const isProof = await (token.passwordType === 'text'
    ? circumstances.isPassword(token.password)
    : circumstances.checkDigest(() => isDigest(token, wsPassword)));
  if (!isProof) throw failed(whyNoProof(token, circumstances));

  // Only nonces of proved tokens are stored, so that strangers can neither fill the table nor use up somebody's nonce.
  if (token.nonce === undefined || createdOn === undefined) return;
  const expiresOn = createdOn + CLOCK_SKEW_MS + NONCE_MARGIN_MS;
  const isNew = await takeNonce(nonceHashOf(token.username, token.nonce), expiresOn, now);
  if (!isNew) throw failed('ws-nonce-replayed');
}

function whyNoProof({ passwordType }: UsernameToken, { isKnown, wsPassword }: TokenCircumstances): string {
  if (!isKnown) return 'ws-unknown-user';
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
