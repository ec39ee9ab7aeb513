import type { Access } from './access.ts';
import { ANONYMOUS, type Incoming } from './client.ts';
import type { CountRequest } from './rate-limits.ts';
import type { HeaderElement } from './ws-security/security-header.ts';

/** undefined: admitted synchronously. Throws, or rejects with, ServiceError `Unauthorized` or `TooManyRequests`. */
type Admitted = Promise<void> | undefined;

/** Every request passes through the gate, which identifies the caller and counts the request for that caller. */
export interface Gate {
  readonly asksWhoCalls: boolean;
  /**
   * Whether some client may identify itself within its message. If so, `letRead` is called before the message is read, and `admit` after
   * that.
   */
  takesTokens(): boolean;
  /** Admits a caller that is identified by the request, or by the Security headers of its message once they have been read. */
  admit(incoming: Incoming, headers?: readonly HeaderElement[]): Admitted;
  /** Allows a request to be read. A caller that is not identified yet is counted by `admit`, and its address must not have used up its rate. */
  letRead(incoming: Incoming): Admitted;
  /** Counts a request that anyone may make. */
  count(incoming: Incoming): undefined;
}

/** Without `access`, which is not optional, so that it cannot be forgotten, anyone may call. */
export function createGate(countRequest: CountRequest, access: Access | undefined): Gate {
  const count = (incoming: Incoming) => countRequest(incoming);
  if (access === undefined) {
    return { asksWhoCalls: false, takesTokens: () => false, admit: count, letRead: count, count };
  }

  /** A refused caller is counted by address only, so that no client is charged for a stranger. */
  function refuse(incoming: Incoming, error: unknown): never {
    countRequest(incoming);
    throw error;
  }

  const refuseStranger = (incoming: Incoming) => refuse(incoming, access.refusal('no valid credentials or address'));

  const identify = (incoming: Incoming): Promise<boolean> =>
    access.identify(incoming).catch((error: unknown) => refuse(incoming, error));

  /** Counts the request only once, for the caller for which it was not counted before. */
  const admitByMessage = async (incoming: Incoming, headers: readonly HeaderElement[]): Promise<void> => {
    const before = incoming.client;
    if (headers.length === 0) return before === ANONYMOUS ? refuseStranger(incoming) : undefined;
    try {
      await access.identifyByToken(incoming, headers);
    } finally {
      if (before === ANONYMOUS || incoming.client !== before) countRequest(incoming);
    }
  };

  return {
    asksWhoCalls: true,
    takesTokens: () => access.takesUsernameTokens(),
    admit: async (incoming, headers) => {
      if (headers !== undefined) await admitByMessage(incoming, headers);
      else if (await identify(incoming)) countRequest(incoming);
      else refuseStranger(incoming);
    },
    letRead: async (incoming) => {
      if (await identify(incoming)) countRequest(incoming);
      else countRequest(incoming, 0);
    },
    count,
  };
}
