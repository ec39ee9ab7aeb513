import { platform } from 'node:os';
import { setUpAccess } from '../access/set-up-access.ts';
import { createAuditRefusal } from '../calls/call.ts';
import { createInvoke } from '../calls/invoke.ts';
import type { Contract } from '../contract/contract.ts';
import { readContract } from '../contract/read-contract.ts';
import {
  type StatedSettings,
  withNamespace,
  withoutForms,
  withoutNotes,
  withSettings,
} from '../contract/rewrite-wsdl.ts';
import { ownWsdl } from '../contract/wsdl-document.ts';
import { DayHistory } from '../doctor/day-history.ts';
import type { Context, Finding } from '../doctor/finding.ts';
import { serviceFindings, startWarnings } from '../doctor/findings.ts';
import { Metrics } from '../doctor/metrics.ts';
import { createOperatingPages } from '../doctor/operating-pages.ts';
import { Readiness } from '../doctor/readiness.ts';
import { addFindingMetrics, addStateMetrics } from '../doctor/state-metrics.ts';
import { statusPage } from '../doctor/status-page.ts';
import { type AppDependencies, createApp, createRefuse } from '../http/app.ts';
import { Budgets } from '../log/budgets.ts';
import type { Log } from '../log/log.ts';
import { chooseGateway } from '../messages/gateways/choose-gateway.ts';
import type { ChosenGateway } from '../messages/gateways/gateway.ts';
import { type OutboxLimits, outboxLimits } from '../messages/outbox-settings.ts';
import { OutboxWorker } from '../messages/outbox-worker.ts';
import { loadDemoData } from '../reference/demo-data.ts';
import type { Config } from '../settings/config.ts';
import type { OpenOptions } from '../store/database-location.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import type { ErrorCode } from '../vocabulary/errors.ts';
import type { Machine } from '../vocabulary/machine.ts';
import { type DeliveryReceipt, MessageStatus } from '../vocabulary/messages.ts';
import { createImplementations } from './implementations.ts';

/** Log lines per minute about requests that were refused with the same code: a flood must not fill the disk. */
const MOST_REFUSALS_LOGGED = 1000;

export interface ServiceDependencies extends Pick<OpenOptions, 'clock'> {
  readonly config: Config;
  readonly log: Log;
  readonly machine: Machine;
  /** Node's diagnostic report, which has the limits of the process. */
  readonly processReport?: object;
  /** By default, those for SMS_RATE. */
  readonly outboxLimits?: OutboxLimits;
}

/** The whole service except its listening socket. */
export type Service = Awaited<ReturnType<typeof openService>>;

const servedContracts = new Map<string, { readonly wsdl: string; readonly contract: Contract }>();

/** The contract under these settings, and its text for callers. A process that opens several services reads it only once. */
const servedContract = (namespace: string, settings: StatedSettings) =>
  servedContracts.getOrInsertComputed(JSON.stringify([namespace, settings]), () => {
    const wsdl = withNamespace(withSettings(ownWsdl(), settings), namespace);
    return { wsdl: withoutNotes(withoutForms(wsdl, settings.transports)), contract: readContract(wsdl) };
  });

/** Reads the contract, opens the store and sets up the transports on top of it. Throws if any of this fails. */
export async function openService(dependencies: ServiceDependencies) {
  const { config, log, machine, processReport } = dependencies;
  const { publicUrl, allowedHosts, access, hospital, sms } = config;
  const { stopwatch } = machine;
  const clock = () => store.clock();
  const { wsdl, contract } = servedContract(config.namespace, {
    ...hospital,
    transports: access.transports,
    refusals: config.refusals,
  });
  const budgets = new Budgets(log, stopwatch);
  const { gate, originOf, reloadClients } = setUpAccess({
    ...machine,
    clock,
    ...access,
    rate: config.limits.rate,
    operations: contract.operations.map(({ name }) => name),
    answers: config,
    takeNonce: (hash, expiresOn, now) => store.write(({ nonces }) => nonces.take(hash, expiresOn, now), []),
    log,
    budgets,
  });
  const gateway = await chooseGateway(sms);
  const history = new DayHistory(clock);
  const metrics = new Metrics({ contract, stopwatch });
  const counters = [metrics, history];
  const store = await openFilledStore(dependencies, metrics);
  try {
    const calls = { contract, store, log, clock, budgets };
    const { rate } = sms;
    const { timeZone } = hospital;
    const limits = dependencies.outboxLimits ?? outboxLimits(rate);
    const outbox =
      gateway &&
      new OutboxWorker({ ...machine, ...limits, ...calls, machineClock: machine.clock, gateway, rate, timeZone });
    const implementations = createImplementations({
      clock,
      messageQueued: () => outbox?.wake(),
      messagesPerSecond: rate,
      policy: hospital,
    });
    const readiness = new Readiness(store, log);
    const gatewayFailingMs = () => outbox?.gatewayFailingMs ?? 0;
    addStateMetrics(metrics, { store, readiness, clock, gatewayFailingMs });
    const context: Context = {
      ...machine,
      config,
      contract,
      machine: { platform: platform(), who: 'This process', processReport },
    };
    const findings = (limitMs: number) => serviceFindings(context, store, limitMs);
    addFindingMetrics(metrics, config, findings);
    const status = { readiness, history, timeZone, clock: machine.clock, startedOn: machine.clock(), findings };
    const appDependencies: AppDependencies = {
      ...calls,
      wsdl,
      stopwatch,
      newCorrelationId: machine.newId,
      publicUrl,
      allowedHosts,
      refusals: config.refusals,
      results: config.results,
      corsOrigins: access.corsOrigins,
      protectMetadata: access.protectMetadata,
      transports: access.transports,
      timeZone,
      formDateOrder: hospital.formDateOrder,
      gate,
      originOf,
      invoke: createInvoke({ ...calls, stopwatch, counters, implementations }),
      auditRefusal: createAuditRefusal(calls),
      counters,
      mayLog: budgets.perCode<ErrorCode>(MOST_REFUSALS_LOGGED, 'refusals not logged'),
      smsStatus: outbox && smsStatusOf(config, gateway, outbox),
      operatingPages: createOperatingPages(readiness),
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
      operatingPages: createOperatingPages(readiness, {
        metricsText: () => metrics.registry.metrics(),
        statusPage: () => statusPage(status),
      }),
      /** What a start warns of. */
      startWarnings: (): Promise<readonly Finding[]> => startWarnings(context, store),
      /** Counts the waiting messages, for the status page. Rejects while the database cannot be read. */
      noteWaiting: async () =>
        history.noteWaiting(await store.read(({ messageList }) => messageList.count(MessageStatus.Queued))),
      /** Sends text messages once it is started; undefined if they are only queued. */
      outbox,
      reloadClients,
      /** Refusals beyond the limits of the audit trail and the log, of which only the number is recorded. */
      budgets,
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function openFilledStore(
  { config, log, clock }: ServiceDependencies,
  timer: OpenOptions['timer'],
): Promise<Store> {
  const { database, createDatabase, demoData, hospital } = config;
  const store = await openStore(database, {
    mayCreate: createDatabase,
    clock,
    timer,
    onUpgrade: (event, fields) => log.warn(event, fields),
  });
  try {
    if (demoData) await loadDemoData(store, hospital.timeZone);
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
        receive: async (receipt: DeliveryReceipt) => void (await outbox.receipts.receive(receipt)),
      };
