import type { IncomingMessage } from 'node:http';
import type { Access } from './access.ts';
import { ANONYMOUS, callerOf } from './client.ts';
import type { CountRequest } from './rate-limits.ts';
import type { HeaderElement } from './ws-security/security-header.ts';

/** undefined: admitted synchronously. Throws, or rejects with, ServiceError `Unauthorized` or `TooManyRequests`. */
type Admitted = Promise<void> | undefined;

/** Every request passes through the gate, which identifies the caller (`callerOf`) and counts the request for that caller. */
export interface Gate {
  /** Whether callers must identify themselves. */
  readonly asksWhoCalls: boolean;
  /**
   * Whether some client may identify itself within its message. If so, `letRead` is called before the message is read, and `admit` after
   * that.
   */
  takesTokens(): boolean;
  /** Admits a caller that is identified by the request, or by the Security headers of its message once they have been read. */
  admit(request: IncomingMessage, headers?: readonly HeaderElement[]): Admitted;
  /** Allows a request to be read. A caller that is not identified yet is counted by `admit`, and its address must not have used up its rate. */
  letRead(request: IncomingMessage): Admitted;
  /** Counts a request that anyone may make. */
  count(request: IncomingMessage): undefined;
}

/** Without `access`, which is not optional, so that it cannot be forgotten, anyone may call. */
export function createGate(countRequest: CountRequest, access: Access | undefined): Gate {
  const count = (request: IncomingMessage) => countRequest(request);
  if (access === undefined) {
    return { asksWhoCalls: false, takesTokens: () => false, admit: count, letRead: count, count };
  }

  /** A refused caller is counted by address only, so that no client is charged for a stranger. */
  function refuse(request: IncomingMessage, error: unknown): never {
    countRequest(request);
    throw error;
  }

  const refuseStranger = (request: IncomingMessage) =>
    refuse(request, access.refusal('no valid credentials or address'));

  const identify = (request: IncomingMessage): Promise<boolean> =>
    access.identify(request).catch((error: unknown) => refuse(request, error));

  /** Counts the request only once, for the caller for which it was not counted before. */
  const admitByMessage = async (request: IncomingMessage, headers: readonly HeaderElement[]): Promise<void> => {
    const before = callerOf(request);
    if (headers.length === 0) return before === ANONYMOUS ? refuseStranger(request) : undefined;
    try {
      await access.identifyByToken(request, headers);
    } finally {
      if (before === ANONYMOUS || callerOf(request) !== before) countRequest(request);
    }
  };

  return {
    asksWhoCalls: true,
    takesTokens: () => access.takesUsernameTokens(),
    admit: async (request, headers) => {
      if (headers !== undefined) await admitByMessage(request, headers);
      else if (await identify(request)) countRequest(request);
      else refuseStranger(request);
    },
    letRead: async (request) => {
      if (await identify(request)) countRequest(request);
      else countRequest(request, 0);
    },
    count,
  };
}
