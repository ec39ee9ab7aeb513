import type { Budgets } from '../log/budgets.ts';
import type { Log, LogFields } from '../log/log.ts';
import { Access, type AccessDependencies } from './access.ts';
import type { ClientsFileContext } from './clients-file.ts';
import { createGate } from './gate.ts';
import { loadClients } from './load-clients.ts';
import { limitRates, type RateLimitSettings } from './rate-limits.ts';
import { createOriginOf } from './request-origin.ts';

/** Log lines per minute about logins that failed: a flood must not fill the disk. */
const MOST_FAILURES_LOGGED = 1000;

export interface AccessParts
  extends Omit<AccessDependencies, 'clients' | 'logFailure'>,
    Pick<ClientsFileContext, 'operations' | 'answers'> {
  /** Undefined if anyone may call. */
  readonly clientsFile: string | undefined;
  readonly trustedProxies: readonly string[];
  readonly rate: RateLimitSettings;
  readonly log: Log;
  readonly budgets: Budgets;
}

/** Who may call. Throws SetUpError if the clients file is invalid. */
export function setUpAccess(parts: AccessParts) {
  const { clientsFile, trustedProxies, rate, stopwatch, log, budgets } = parts;
  const originOf = createOriginOf(trustedProxies, (address) =>
    log.warn('a proxy on this machine is not in TRUSTED_PROXIES, so its callers are not told apart', { address }),
  );
  const countRequest = limitRates(rate, stopwatch);
  if (clientsFile === undefined) {
    return { gate: createGate(countRequest, undefined), originOf, reloadClients: () => {} };
  }
  const { current: clients, reload } = loadClients(clientsFile, parts, log);
  const mayLog = budgets.perCode<'Unauthorized'>(MOST_FAILURES_LOGGED, 'failed logins not logged');
  const logFailure = (fields: LogFields) => {
    if (mayLog('Unauthorized')) log.warn('login failed', fields);
  };
  const access = new Access({ ...parts, clients, logFailure });
  return { gate: createGate(countRequest, access), originOf, reloadClients: reload };
}
