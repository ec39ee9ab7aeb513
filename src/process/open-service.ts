import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Express } from 'express';
import { recordedAddress } from '../access/ip-address.ts';
import type { Pause } from '../access/login-delays.ts';
import { setUpAccess } from '../access/set-up-access.ts';
import { createAuditRefusal } from '../calls/audit-refusal.ts';
import { IDEMPOTENCY_WINDOW_MS } from '../calls/idempotent-store.ts';
import { createInvoke } from '../calls/invoke.ts';
import type { Contract } from '../contract/contract.ts';
import { readContract } from '../contract/read-contract.ts';
import { withNamespace } from '../contract/rewrite-wsdl.ts';
import { createApp } from '../http/app.ts';
import { Budgets } from '../log/budgets.ts';
import type { Log } from '../log/log.ts';
import { addDatabaseMetrics } from '../monitoring/database-metrics.ts';
import { isLocalCaller } from '../monitoring/is-local-caller.ts';
import { createMetrics, type Metrics } from '../monitoring/metrics.ts';
import { createOperatingPages, type OperatingPages } from '../monitoring/operating-pages.ts';
import { addOutboxMetrics } from '../monitoring/outbox-metrics.ts';
import { createReadiness, type Readiness } from '../monitoring/readiness.ts';
import type { Clock } from '../operations/dependencies.ts';
import { createImplementations } from '../operations/implementations.ts';
import { DEMO_MARK, loadDemoData } from '../reference-data/demo-data.ts';
import type { Config } from '../settings/config.ts';
import { chooseGateway } from '../sms/choose-gateway.ts';
import type { ChosenGateway, DeliveryReceipt } from '../sms/gateway.ts';
import type { OutboxLimits } from '../sms/outbox-limits.ts';
import { OutboxWorker } from '../sms/outbox-worker.ts';
import type { OpenOptions } from '../store/database-location.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import type { NewCorrelationId } from '../transports/correlation-id.ts';
import type { ErrorCode } from '../vocabulary/errors.ts';
import { hospitalPolicy } from './hospital-policy.ts';

const WSDL_FILE = new URL('../../wsdl/TPWebServices.wsdl', import.meta.url);

/** Log lines per minute about requests that were refused with the same code. */
const MOST_REFUSALS_LOGGED = 1000;

export interface ServiceDependencies {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  /** As in OpenOptions. */
  readonly sharedClock?: OpenOptions['sharedClock'];
  readonly newCorrelationId: NewCorrelationId;
  /** Random bytes that no other process has. */
  readonly processKey: Uint8Array;
  /** Delays callers that guess secrets. */
  readonly pause: Pause;
  /** At least 0 and below 1. */
  readonly random: () => number;
  /** Monotonic time in milliseconds. */
  readonly stopwatch: () => number;
  readonly outboxLimits: OutboxLimits;
}

/** The whole service except its listening socket. */
export interface Service {
  readonly app: Express;
  readonly contract: Contract;
  readonly store: Store;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  /** For callers that may see all of them. */
  readonly operatingPages: OperatingPages;
  /** Sends text messages once it is started; absent if they are only queued. */
  readonly outbox: OutboxWorker | undefined;
  /** Reloads the clients file, if there is one. */
  readonly reloadClients: () => void;
  /** Refusals beyond the limits of the audit trail and the log, of which only the number is recorded. */
  readonly budgets: Budgets;
}

interface ServedContract {
  readonly wsdl: string;
  readonly contract: Contract;
}

const servedContracts = new Map<string, ServedContract>();

/** The contract in a namespace, and its text. A process that opens several services reads it only once. */
function servedContract(namespace: string): ServedContract {
  let served = servedContracts.get(namespace);
  if (served === undefined) {
    const wsdl = withNamespace(readFileSync(WSDL_FILE, 'utf8'), namespace);
    served = { wsdl, contract: readContract(wsdl) };
    servedContracts.set(namespace, served);
  }
  return served;
}

/** Reads the contract, opens the store and sets up the transports on top of it. Throws if any of this fails. */
export async function openService({
  config,
  log,
  clock,
  sharedClock,
  newCorrelationId,
  processKey,
  pause,
  random,
  stopwatch,
  outboxLimits,
}: ServiceDependencies): Promise<Service> {
  const { wsdl, contract } = servedContract(config.namespace);
  const budgets = new Budgets(log, stopwatch);
  const { gate, originOf, reload } = setUpAccess(
    { ...config.access, limits: config.limits, recordedAddresses: config.monitoring.recordedAddresses },
    {
      operations: contract.operations.map(({ name }) => name),
      budgets,
      takeNonce: (hash, expiresOn, now) => store.write(({ nonces }) => nonces.take(hash, expiresOn, now), []),
      processKey,
      clock,
      stopwatch,
      log,
      pause,
    },
  );
  const gateway = await chooseGateway(config.sms);
  const metrics = createMetrics({ contract, stopwatch });
  const store = metrics.meteredStore(await openFilledStore(config, log, sharedClock));
  try {
    const outbox =
      gateway &&
      new OutboxWorker({
        rate: config.sms.rate,
        budgets,
        store,
        gateway,
        timeZone: config.timeZone,
        newHolder: newCorrelationId,
        log,
        clock,
        random,
        sleep: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }),
        ...outboxLimits,
      });
    const implementations = createImplementations({
      clock,
      messageQueued: () => outbox?.wake(),
      policy: hospitalPolicy(config),
    });
    const invoke = metrics.metered(
      createInvoke({
        contract,
        implementations,
        store,
        log,
        clock,
        idempotencyWindow: IDEMPOTENCY_WINDOW_MS,
        budgets,
      }),
    );
    const readiness = createReadiness(store, log);
    addOutboxMetrics(metrics, store, clock);
    addDatabaseMetrics(metrics, { store, readiness, clock });
    const pages = { readiness, metricsText: () => metrics.registry.metrics() };
    const app = await createApp({
      ...config,
      ...config.access,
      ...config.browser,
      gate,
      originOf,
      addressOf: (request) => recordedAddress(originOf(request).address, config.monitoring.recordedAddresses),
      auditRefusal: createAuditRefusal({ store, log, clock, budgets }),
      contract,
      wsdl,
      invoke,
      log,
      clock,
      newCorrelationId,
      smsStatus: outbox && smsStatusOf(config, gateway, outbox),
      countFault: metrics.countFault,
      mayLog: budgets.perCode<ErrorCode>(MOST_REFUSALS_LOGGED, 'refusals not logged'),
      operatingPages: createOperatingPages({ ...pages, mayMeasure: mayMeasure(config) }),
    });
    return {
      app,
      contract,
      store,
      metrics,
      readiness,
      operatingPages: createOperatingPages({ ...pages, mayMeasure: () => true }),
      outbox,
      reloadClients: reload,
      budgets,
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function openFilledStore(
  { database, createDatabase, demoData, timeZone }: Config,
  log: Log,
  sharedClock: OpenOptions['sharedClock'],
): Promise<Store> {
  const store = await openStore(database, {
    mayCreate: createDatabase,
    sharedClock,
    onUpgrade: ({ from, to }) => {
      // A new database is not an upgrade.
      if (from !== undefined) log.info('schema brought up to date', { from, to });
    },
  });
  try {
    if (demoData) await loadDemoData(store, timeZone);
    else if ((await store.read(({ reference }) => reference.mark(DEMO_MARK))) !== undefined) {
      log.warn('the database contains demo data, although DEMO_DATA is off', { database: store.description });
    }
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * Who may see the metrics on the port that clients use. A proxy on this machine connects for everyone; PUBLIC_URL implies that there is
 * one.
 */
const mayMeasure = ({ monitoring, publicUrl, access }: Config) =>
  monitoring.port === undefined && publicUrl === undefined && access.trustedProxies.length === 0
    ? isLocalCaller
    : () => false;

/** Status callbacks are accepted if the gateway sends them and presents a secret. */
const smsStatusOf = ({ sms }: Config, { readStatusCallback }: ChosenGateway, outbox: OutboxWorker) =>
  sms.callbackSecret === undefined || readStatusCallback === undefined
    ? undefined
    : {
        secret: sms.callbackSecret,
        readStatusCallback,
        receive: async (receipt: DeliveryReceipt) => void (await outbox.receive(receipt)),
      };
