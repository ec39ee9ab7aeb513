import { readFileSync } from 'node:fs';
import type { Express } from 'express';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import type { Contract } from './contract/contract.ts';
import { readContract } from './contract/read-wsdl.ts';
import { requireImplementations } from './contract/require-implementations.ts';
import { withNamespace } from './contract/rewrite-wsdl.ts';
import { loadDemoData } from './demo-data.ts';
import type { Log } from './log.ts';
import { type Clock, DEFAULT_POLICY, type Policy } from './operations/dependencies.ts';
import { createImplementations } from './operations/implementations.ts';
import { createInvoke } from './operations/invoke.ts';
import { openStore } from './store/open-store.ts';
import type { Store } from './store/store.ts';
import type { NewCorrelationId } from './transports/correlation-id.ts';

const WSDL_FILE = new URL('../wsdl/TPWebServices.wsdl', import.meta.url);

export interface ServiceDependencies {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly newCorrelationId: NewCorrelationId;
  readonly policy?: Partial<Policy>;
}

/** The whole service but its listening socket. */
export interface Service {
  readonly app: Express;
  readonly contract: Contract;
  readonly store: Store;
  /** True if this start filled an empty database with demo data. */
  readonly demoDataLoaded: boolean;
}

/** Reads the contract, opens the store and puts the doors in front of it; throws if any of them can't be. */
export async function openService({
  config,
  log,
  clock,
  newCorrelationId,
  policy,
}: ServiceDependencies): Promise<Service> {
  const wsdl = withNamespace(readFileSync(WSDL_FILE, 'utf8'), config.namespace);
  const contract = readContract(wsdl);
  const store = await openStore(config.database);
  try {
    const demoDataLoaded = config.demoData && (await loadDemoData(store, config.timeZone));
    const implementations = createImplementations({
      clock,
      policy: { ...DEFAULT_POLICY, ...policyOf(config), ...policy },
    });
    requireImplementations(contract, implementations);
    const invoke = createInvoke({ implementations, store, log, clock });
    const app = await createApp({ ...config, contract, wsdl, invoke, log, clock, newCorrelationId });
    return { app, contract, store, demoDataLoaded };
  } catch (error) {
    await store.close();
    throw error;
  }
}

const policyOf = ({ timeZone, phoneRegion, confirmBookings, showContactNumbers, moves }: Config): Partial<Policy> => ({
  timeZone,
  phoneRegion,
  confirmBookings,
  showContactNumbers,
  moves,
});
