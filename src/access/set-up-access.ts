import type { Log } from '../log/log.ts';
import { Access } from './access.ts';
import { createGate, type Gate } from './gate.ts';
import type { AddressDetail } from './ip-address.ts';
import { loadClients } from './load-clients.ts';
import type { Pause } from './login-delays.ts';
import { type RateLimitSettings, RateLimits } from './rate-limits.ts';
import { createOriginOf, type OriginOf, type ProxyHeaders } from './request-origin.ts';
import { createUsernameTokenCheck } from './ws-security/username-token-check.ts';
import type { TakeNonce } from './ws-security/verify-username-token.ts';

export interface AccessSettings {
  /** Path of the clients file; undefined: anybody may call. */
  readonly clientsFile: string | undefined;
  /** Addresses and networks. */
  readonly trustedProxies: readonly string[];
  readonly proxyHeaders: ProxyHeaders;
  /** Whether trusted proxies are believed which client certificate they saw. */
  readonly proxyClientCertificates: boolean;
  readonly limits: RateLimitSettings;
  /** How much of an address is written down. */
  readonly recordedAddresses: AddressDetail;
}

export interface SetUpAccessDependencies {
  /** Names of the operations that there are. */
  readonly operations: readonly string[];
  /** Random bytes that no other process has. */
  readonly processKey: Uint8Array;
  readonly takeNonce: TakeNonce;
  readonly clock: () => number;
  /** Milliseconds that never go back. */
  readonly stopwatch: () => number;
  readonly log: Log;
  readonly pause: Pause;
}

/** Access as it is set. */
export interface SetUpAccess {
  readonly gate: Gate;
  /** Where a request comes from, through trusted proxies. */
  readonly originOf: OriginOf;
  /** Reads the clients file again, if there is one. */
  readonly reload: () => void;
  readonly rateLimits: RateLimits;
}

/** Throws SetUpError if the clients file is wrong. */
export function setUpAccess(
  { clientsFile, trustedProxies, proxyHeaders, proxyClientCertificates, limits, recordedAddresses }: AccessSettings,
  { operations, takeNonce, stopwatch, ...dependencies }: SetUpAccessDependencies,
): SetUpAccess {
  const originOf = createOriginOf(trustedProxies, proxyHeaders);
  const rateLimits = new RateLimits(limits, originOf, stopwatch);
  if (clientsFile === undefined) {
    const gate = createGate({ rates: rateLimits, logIn: undefined });
    return { gate, originOf, reload: () => {}, rateLimits };
  }
  const clients = loadClients(clientsFile, operations, dependencies.log);
  const access = new Access({
    ...dependencies,
    clients: clients.current,
    originOf,
    proxyClientCertificates,
    recordedAddresses,
  });
  const checkToken = createUsernameTokenCheck({ ...dependencies, access, takeNonce });
  const gate = createGate({ rates: rateLimits, logIn: { access, checkToken } });
  return { gate, originOf, reload: clients.reload, rateLimits };
}
