import type { Log } from '../log/log.ts';
import { Access } from './access.ts';
import { loadClients } from './load-clients.ts';
import type { Pause } from './login-delays.ts';
import { createOriginOf, type OriginOf, type ProxyHeaders } from './request-origin.ts';

export interface AccessSettings {
  /** Path of the clients file; undefined: anybody may call. */
  readonly clientsFile: string | undefined;
  /** Addresses and networks. */
  readonly trustedProxies: readonly string[];
  readonly proxyHeaders: ProxyHeaders;
}

export interface SetUpAccessDependencies {
  /** Names of the operations that there are. */
  readonly operations: readonly string[];
  /** Random bytes that no other process has. */
  readonly processKey: Uint8Array;
  readonly clock: () => number;
  readonly log: Log;
  readonly pause: Pause;
}

/** Access as it is set. */
export interface GivenAccess {
  /** Undefined: anybody may call. */
  readonly access: Access | undefined;
  /** Where a request comes from, through trusted proxies. */
  readonly originOf: OriginOf;
  /** Reads the clients file again, if there is one. */
  readonly reload: () => void;
}

/** Throws SetUpError if the clients file is wrong. */
export function setUpAccess(
  { clientsFile, trustedProxies, proxyHeaders }: AccessSettings,
  { operations, processKey, clock, log, pause }: SetUpAccessDependencies,
): GivenAccess {
  const originOf = createOriginOf(trustedProxies, proxyHeaders);
  if (clientsFile === undefined) return { access: undefined, originOf, reload: () => {} };
  const clients = loadClients(clientsFile, operations, log);
  const access = new Access({ clients: clients.current, originOf, processKey, clock, log, pause });
  return { access, originOf, reload: clients.reload };
}
