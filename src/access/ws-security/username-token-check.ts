import type { IncomingMessage } from 'node:http';
import type { LogFields } from '../../log/log.ts';
import { ServiceError } from '../../vocabulary/errors.ts';
import type { Access } from '../access.ts';
import { callerOf } from '../caller.ts';
import type { HeaderElement } from './header-element.ts';
import { readUsernameToken } from './read-username-token.ts';
import { type TakeNonce, verifyUsernameToken } from './verify-username-token.ts';

/**
 * By how much a client's clock may differ from ours, in milliseconds. Source: UsernameToken Profile 1.1, 3.1, which recommends five
 * minutes.
 */
const CLOCK_SKEW = 5 * 60_000;

export interface UsernameTokenDependencies {
  readonly access: Pick<
    Access,
    | 'originOf'
    | 'findTokenClient'
    | 'isPassword'
    | 'admit'
    | 'isSlowed'
    | 'slowDown'
    | 'forgetAttempts'
    | 'rememberProof'
  >;
  readonly takeNonce: TakeNonce;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Logs a failed login, unless too many have been logged already. */
  readonly logFailure: (fields: LogFields) => void;
}

/**
 * Admits the client whose UsernameToken is in the Security headers of a message (`callerOf`). Throws ServiceError `Unauthorized`, with the
 * WS-Security fault if the token is at fault; `TooManyRequests` if there are too many logins; `Unavailable` if the store cannot tell
 * whether the message was sent before.
 */
export type UsernameTokenCheck = (request: IncomingMessage, headers: readonly HeaderElement[]) => Promise<void>;

export function createUsernameTokenCheck(dependencies: UsernameTokenDependencies): UsernameTokenCheck {
  const { access, takeNonce, clock, logFailure } = dependencies;
  return async (request, headers) => {
    const token = readUsernameToken(headers);
    const { username } = token;
    const client = access.findTokenClient(username);
    const { secure } = access.originOf(request);
    const secrets = {
      known: client !== undefined,
      wsPassword: client?.wsPassword,
      isPassword: (password: string) => access.isPassword(request, { username, password }, client),
    };
    // A digest costs nothing to check, so only callers that have guessed before are delayed. A client's own calls may arrive many at once.
    const isDigest = token.passwordType === 'digest';
    const wasSlowed = isDigest && access.isSlowed(request, username);
    if (wasSlowed) await access.slowDown(request, username);
    try {
      await verifyUsernameToken(token, secrets, { secure, now: clock(), skew: CLOCK_SKEW, takeNonce });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.securityFault !== 'FailedAuthentication') throw error;
      const address = access.originOf(request).address;
      logFailure({ reason: error.reason ?? '', address, ...(client && { client: client.name }) });
      if (isDigest && !wasSlowed) await access.slowDown(request, username);
      throw error;
    }
    if (client === undefined) throw new Error('a token of nobody was taken');
    if (wasSlowed) access.forgetAttempts(request, username);
    if (isDigest) access.rememberProof(request, username);
    // A client of which more than a password is required has proved the rest before the message was read.
    if (callerOf(request) !== client) access.admit(request, client);
  };
}
