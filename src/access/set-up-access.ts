import type { Budgets } from '../log/budgets.ts';
import type { Log, LogFields } from '../log/log.ts';
import { Access, type AccessDependencies } from './access.ts';
import { createGate, type Gate } from './gate.ts';
import { loadClients } from './load-clients.ts';
import { type RateLimitSettings, RateLimits } from './rate-limits.ts';
import { createOriginOf, type OriginOf } from './request-origin.ts';
import { createUsernameTokenCheck, type TakeNonce } from './ws-security/username-token-check.ts';

export interface AccessSettings {
  readonly access: {
    /** Path of the clients file; undefined means that anyone may call. */
    readonly clientsFile: string | undefined;
    /** IP addresses and networks. */
    readonly trustedProxies: readonly string[];
    /** Whether to believe what trusted proxies report about client certificates. */
    readonly proxyClientCertificates: boolean;
  };
  readonly limits: { readonly rate: RateLimitSettings };
}

export interface SetUpAccessDependencies
  extends Pick<AccessDependencies, 'processKey' | 'clock' | 'stopwatch' | 'pause'> {
  /** Names of all operations. */
  readonly operations: readonly string[];
  readonly takeNonce: TakeNonce;
  readonly log: Log;
  readonly budgets: Budgets;
}

/** Log lines about failed logins per minute. Anyone who sends wrong secrets at full speed must not be able to fill the disk. */
const MOST_FAILURES_LOGGED = 1000;

export interface SetUpAccess {
  readonly gate: Gate;
  /** The origin of a request, with trusted proxies taken into account. */
  readonly originOf: OriginOf;
  /** Reloads the clients file, if there is one. */
  readonly reload: () => void;
}

/** Throws SetUpError if the clients file is invalid. */
export function setUpAccess(
  { access: { clientsFile, trustedProxies, proxyClientCertificates }, limits }: AccessSettings,
  dependencies: SetUpAccessDependencies,
): SetUpAccess {
  const { log, operations, stopwatch, budgets } = dependencies;
  const originOf = createOriginOf(trustedProxies);
  const rates = new RateLimits(limits.rate, originOf, stopwatch);
  if (clientsFile === undefined) return { gate: createGate({ rates, logIn: undefined }), originOf, reload: () => {} };
  const clients = loadClients(clientsFile, operations, log);
  const mayLog = budgets.perCode<'Unauthorized'>(MOST_FAILURES_LOGGED, 'failed logins not logged');
  const logFailure = (fields: LogFields) => {
    if (mayLog('Unauthorized')) log.warn('login failed', fields);
  };
  const access = new Access({
    ...dependencies,
    clients: clients.current,
    originOf,
    proxyClientCertificates,
    logFailure,
  });
  const checkToken = createUsernameTokenCheck({ ...dependencies, access, originOf, logFailure });
  return { gate: createGate({ rates, logIn: { access, checkToken } }), originOf, reload: clients.reload };
}
