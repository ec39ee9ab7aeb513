import { collectDefaultMetrics } from 'prom-client';
import { isLoopback } from '../access/ip-address.ts';
import { listen } from '../http/http-server.ts';
import { connectionLimits, possibleConnections } from '../http/limit-connections.ts';
import { listenOperating } from '../monitoring/operating-pages.ts';
import { DEMO_FACT } from '../reference-data/demo-data.ts';
import { ClosingOrder } from './closing-order.ts';
import { openService, type ServiceDependencies } from './open-service.ts';
import { createRetention } from './retention.ts';
import { startMessage } from './start-message.ts';

export interface ServeDependencies extends ServiceDependencies {
  readonly droppedLines: () => number;
  /** Node's diagnostic report, which has the limits of the process. */
  readonly processReport: object;
}

/** The host name by which a browser on this machine reaches a service that listens on an address. */
function nameOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

/** The maximum duration of a shutdown: supervisors are told that it takes 10 s, and the log is written after it. */
const STOP_LIMIT_MS = 9000;

/** How often to check for numbers of refusals that are to be reported. */
const REPORT_INTERVAL_MS = 1000;

/** How often to report how many connections were refused. */
const REFUSED_INTERVAL_MS = 60_000;

/** How often the waiting messages are counted for the status page. */
const NOTE_INTERVAL_MS = 60_000;

/** Opens the service in this process and listens. Leaves nothing open if it fails. */
export async function serve(dependencies: ServeDependencies) {
  const { config, log, clock, pause, droppedLines } = dependencies;
  const open = new ClosingOrder();
  /** Until what was opened last is closed. */
  const every = (milliseconds: number, work: () => void) => {
    const timer = setInterval(work, milliseconds).unref();
    open.withPrevious(async () => clearInterval(timer));
  };
  try {
    const service = await openService(dependencies);
    const { noteWaiting, store, contract, metrics, outbox, readiness, operatingPages, budgets } = service;
    open.add(() => store.close());
    // Before the database is closed, because the number of refusals is a row of the audit trail.
    open.add(() => budgets.reportEnded(true));
    every(REPORT_INTERVAL_MS, () => void budgets.reportEnded());
    const { operations, stopGraceSeconds } = config.monitoring;
    if (operations !== undefined) {
      every(NOTE_INTERVAL_MS, () => void noteWaiting().catch(() => {}));
      // Closed after the service's own port, so that monitoring can see that the service is stopping.
      const operating = await listenOperating(operatingPages, operations, config.allowedHosts);
      open.add(() => operating.close());
      log.info('listening on the operations port', { address: operations.host, port: operating.port });
    }
    const { tls: tlsSettings, clientsFile, transports } = config.access;
    // Node's TLS is loaded only by a service that uses it.
    const tlsFiles = tlsSettings === undefined ? undefined : await import('../http/tls-files.ts');
    const readTls = () => tlsSettings && tlsFiles?.readTlsFiles(tlsSettings, clock());
    const tls = readTls();
    const limits = connectionLimits(config);
    const most = Math.min(limits.most, possibleConnections(dependencies.processReport));
    if (most < limits.most) log.warn('too few file descriptors for MAX_CONNECTIONS', { count: most });
    const server = await listen(service.app, config.host, config.port, { ...limits, most }, tls, service.refuse);
    let reported = 0;
    const reportRefused = () => {
      const count = server.refusedConnections() - reported;
      if (count > 0) log.warn('connections refused', { count });
      reported += count;
    };
    open.add(async () => reportRefused());
    every(REFUSED_INTERVAL_MS, reportRefused);
    open.add(() => server.close());
    // In parallel with the calls in flight, because both may take their time. A message queued by such a call is sent by another process,
    // or later.
    open.withPrevious(async () => outbox?.stop());
    const reloadTls = () => {
      try {
        const renewed = readTls();
        if (renewed === undefined) return;
        server.setTls(renewed);
        log.info('TLS files read');
      } catch (error) {
        log.error('TLS files are invalid, the previous certificate stays', { error });
      }
    };
    const watched = tlsSettings && tlsFiles?.watchTlsFiles(tlsSettings, reloadTls);
    open.withPrevious(async () => watched?.close());

    const retention = createRetention({
      store,
      log,
      clock,
      newCorrelationId: dependencies.newCorrelationId,
      keptDays: config.retentionDays,
      messageFile: config.sms.gateway.kind === 'file' ? config.sms.gateway.path : undefined,
    });
    retention.start();
    open.withPrevious(() => retention.stop());

    const baseUrl =
      config.publicUrl ?? `${tls === undefined ? 'http' : 'https'}://${nameOf(config.host)}:${server.port}`;
    outbox?.start(baseUrl);

    collectDefaultMetrics({ register: metrics.registry });
    metrics.gauge('tpws_connections', 'Open connections of clients.', server.connections);
    metrics.gauge(
      'tpws_connections_refused',
      'Connections closed at once since the start because there were too many.',
      server.refusedConnections,
    );
    metrics.gauge(
      'tpws_log_lines_dropped',
      'Log lines dropped since the start because they could not be written in time.',
      droppedLines,
    );
    const openTo = isLoopback(config.host) || clientsFile !== undefined ? undefined : config.host;
    if (openTo !== undefined) log.warn('listening beyond loopback without access control', { address: openTo });
    const reachNoPhone = config.sms.gateway.kind === 'file' && !config.demoData;
    if (reachNoPhone)
      log.warn('text messages are written to a file and reach no phone', { gateway: outbox?.gateway ?? '' });
    const isDemo = async () => (await store.read(({ facts }) => facts.get(DEMO_FACT))) !== undefined;
    return {
      /** What a person needs to know once it is running. */
      startMessage: startMessage({
        contract,
        baseUrl,
        storeDescription: store.description,
        demoData: await isDemo(),
        anyoneMayCall: clientsFile === undefined && transports.includes('httpPost'),
        openTo,
        gateway: outbox?.gateway,
        reachNoPhone,
        timeZone: config.hospital.timeZone,
        now: clock(),
      }),
      /** The same for the log. */
      facts: { address: config.host, port: server.port, database: store.description },
      /** Reloads the clients file and the TLS files. An invalid file changes nothing, and the log says so. */
      reload: () => {
        service.reloadClients();
        reloadTls();
      },
      /**
       * Reports itself as not ready for the grace period of a shutdown. After that, it accepts no more connections, finishes the calls in
       * flight and closes the database. Resolves at most 9 s after the grace period, even if something is left.
       */
      stop: async () => {
        readiness.stop();
        server.announceClose();
        if (stopGraceSeconds > 0) await pause(stopGraceSeconds * 1000);
        const isClosed = await open.close(STOP_LIMIT_MS, (error) => log.error('not closed cleanly', { error }));
        if (!isClosed) log.warn('stopped before everything was closed', { milliseconds: STOP_LIMIT_MS });
      },
    };
  } catch (error) {
    await open.close(STOP_LIMIT_MS, () => {});
    throw error;
  }
}
