import { setTimeout as sleep } from 'node:timers/promises';
import { Access, type AccessDependencies } from '../access/access.ts';
import { createGate } from '../access/gate.ts';
import { loadClients } from '../access/load-clients.ts';
import { limitRates } from '../access/rate-limits.ts';
import { createOriginOf } from '../access/request-origin.ts';
import type { TakeNonce } from '../access/ws-security/verify-username-token.ts';
import { createAuditRefusal } from '../calls/audit-refusal.ts';
import { createInvoke } from '../calls/invoke.ts';
import { IDEMPOTENCY_WINDOW_MS } from '../calls/transaction.ts';
import type { Contract } from '../contract/contract.ts';
import { readContract } from '../contract/read-contract.ts';
import { withNamespace, withoutNotes } from '../contract/rewrite-wsdl.ts';
import { ownWsdl } from '../contract/wsdl-document.ts';
import { type AppDependencies, createApp, createRefuse } from '../http/app.ts';
import { Budgets } from '../log/budgets.ts';
import type { Log, LogFields } from '../log/log.ts';
import { createDayHistory } from '../monitoring/day-history.ts';
import { createMetrics } from '../monitoring/metrics.ts';
import { createOperatingPages } from '../monitoring/operating-pages.ts';
import { createReadiness } from '../monitoring/readiness.ts';
import { addStateMetrics } from '../monitoring/state-metrics.ts';
import { statusPage } from '../monitoring/status-page.ts';
import { createImplementations } from '../operations/implementations.ts';
import { DEMO_FACT, loadDemoData } from '../reference-data/demo-data.ts';
import type { Config } from '../settings/config.ts';
import { chooseGateway } from '../sms/choose-gateway.ts';
import type { ChosenGateway, GatewayDependencies } from '../sms/gateway.ts';
import { type OutboxLimits, outboxLimits } from '../sms/outbox-settings.ts';
import { OutboxWorker } from '../sms/outbox-worker.ts';
import type { OpenOptions } from '../store/database-location.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import type { NewCorrelationId } from '../transports/request-ids.ts';
import type { ErrorCode } from '../vocabulary/errors.ts';
import { type DeliveryReceipt, MessageStatus } from '../vocabulary/messages.ts';

/** Log lines per minute about requests that were refused with the same code: a flood must not fill the disk. */
const MOST_REFUSALS_LOGGED = 1000;

export interface ServiceDependencies
  extends Pick<AccessDependencies, 'processKey' | 'clock' | 'stopwatch' | 'pause'>,
    Pick<GatewayDependencies, 'random'>,
    Pick<OpenOptions, 'sharedClock'> {
  readonly config: Config;
  readonly log: Log;
  readonly newCorrelationId: NewCorrelationId;
  /** Node's diagnostic report, which has the limits of the process. */
  readonly processReport?: object;
  /** By default, those for SMS_RATE. */
  readonly outboxLimits?: OutboxLimits;
}

/** The whole service except its listening socket. */
export type Service = Awaited<ReturnType<typeof openService>>;

const servedContracts = new Map<string, { readonly wsdl: string; readonly contract: Contract }>();

/** The contract in a namespace, and its text for callers. A process that opens several services reads it only once. */
const servedContract = (namespace: string) =>
  servedContracts.getOrInsertComputed(namespace, () => {
    const wsdl = withNamespace(ownWsdl(), namespace);
    return { wsdl: withoutNotes(wsdl), contract: readContract(wsdl) };
  });

/** Reads the contract, opens the store and sets up the transports on top of it. Throws if any of this fails. */
export async function openService(dependencies: ServiceDependencies) {
  const { config, log, clock, stopwatch, newCorrelationId } = dependencies;
  const { wsdl, contract } = servedContract(config.namespace);
  const budgets = new Budgets(log, stopwatch);
  const access = setUpAccess(dependencies, contract, budgets, (hash, expiresOn, now) =>
    store.write(({ nonces }) => nonces.take(hash, expiresOn, now), []),
  );
  const gateway = await chooseGateway(config.sms);
  const history = createDayHistory(clock);
  const metrics = createMetrics({ contract, stopwatch, history });
  const store = metrics.meteredStore(await openFilledStore(dependencies));
  try {
    const common = { ...dependencies, contract, store, budgets };
    const outbox =
      gateway &&
      new OutboxWorker({
        ...outboxLimits(config.sms.rate),
        ...dependencies.outboxLimits,
        ...common,
        gateway,
        rate: config.sms.rate,
        timeZone: config.hospital.timeZone,
        newHolder: newCorrelationId,
        sleep: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }),
      });
    const implementations = createImplementations({
      clock,
      messageQueued: () => outbox?.wake(),
      messagesPerSecond: gateway && config.sms.rate,
      policy: config.hospital,
    });
    const invoke = createInvoke({ ...common, implementations, idempotencyWindowMs: IDEMPOTENCY_WINDOW_MS });
    const readiness = createReadiness(store, log);
    const gatewayFailingMs = () => outbox?.gatewayFailingMs ?? 0;
    addStateMetrics(metrics, { store, readiness, clock, gatewayFailingMs });
    const status = { store, readiness, history, clock, config, processReport: dependencies.processReport ?? {} };
    const appDependencies: AppDependencies = {
      ...config,
      ...config.access,
      ...config.hospital,
      ...common,
      ...access,
      wsdl,
      invoke: metrics.metered(invoke),
      auditRefusal: createAuditRefusal(common),
      smsStatus: outbox && smsStatusOf(config, gateway, outbox),
      countFault: metrics.countFault,
      mayLog: budgets.perCode<ErrorCode>(MOST_REFUSALS_LOGGED, 'refusals not logged'),
      operatingPages: createOperatingPages({ readiness }),
    };
    return {
      app: await createApp(appDependencies),
      /** For the server in front of the app. */
      refuse: createRefuse(appDependencies),
      contract,
      store,
      metrics,
      readiness,
      /** For the operations port. */
      operatingPages: createOperatingPages({
        readiness,
        forOperators: { metricsText: () => metrics.registry.metrics(), statusPage: () => statusPage(status) },
      }),
      /** Counts the waiting messages, for the status page. Rejects while the database cannot be read. */
      noteWaiting: async () =>
        history.noteWaiting(await store.read(({ messageList }) => messageList.count(MessageStatus.Queued))),
      /** Sends text messages once it is started; undefined if they are only queued. */
      outbox,
      /** Reloads the clients file, if there is one. */
      reloadClients: access.reload,
      /** Refusals beyond the limits of the audit trail and the log, of which only the number is recorded. */
      budgets,
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Throws SetUpError if the clients file is invalid. */
function setUpAccess(
  { config, log, stopwatch, ...dependencies }: ServiceDependencies,
  { operations }: Contract,
  budgets: Budgets,
  takeNonce: TakeNonce,
) {
  const { clientsFile, trustedProxies, proxyClientCertificates } = config.access;
  const originOf = createOriginOf(trustedProxies, (address) =>
    log.warn('a proxy on this machine is not in TRUSTED_PROXIES, so its callers are not told apart', { address }),
  );
  const countRequest = limitRates(config.limits.rate, stopwatch);
  if (clientsFile === undefined) return { gate: createGate(countRequest, undefined), originOf, reload: () => {} };
  const names = operations.map(({ name }) => name);
  const { current: clients, reload } = loadClients(clientsFile, names, log);
  const mayLog = budgets.perCode<'Unauthorized'>(MOST_REFUSALS_LOGGED, 'failed logins not logged');
  const logFailure = (fields: LogFields) => {
    if (mayLog('Unauthorized')) log.warn('login failed', fields);
  };
  const more = { clients, proxyClientCertificates, stopwatch, logFailure, takeNonce };
  return { gate: createGate(countRequest, new Access({ ...dependencies, ...more })), originOf, reload };
}

async function openFilledStore({ config, log, sharedClock }: ServiceDependencies): Promise<Store> {
  const { database, createDatabase, demoData, hospital } = config;
  const store = await openStore(database, {
    mayCreate: createDatabase,
    sharedClock,
    onUpgrade: (event, fields) => log.warn(event, fields),
  });
  try {
    if (demoData) await loadDemoData(store, hospital.timeZone);
    else if ((await store.read(({ facts }) => facts.get(DEMO_FACT))) !== undefined) {
      log.warn('the database contains demo data, although DEMO_DATA is off', { database: store.description });
    }
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Status callbacks are accepted if the gateway sends them and presents a secret. */
const smsStatusOf = ({ sms }: Config, { readStatusCallback }: ChosenGateway, outbox: OutboxWorker) =>
  sms.callbackSecret === undefined || readStatusCallback === undefined
    ? undefined
    : {
        secret: sms.callbackSecret,
        readStatusCallback,
        receive: async (receipt: DeliveryReceipt) => void (await outbox.receive(receipt)),
      };
