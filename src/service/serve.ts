import { listenOperating } from '../doctor/operating-pages.ts';
import { addProcessMetrics } from '../doctor/state-metrics.ts';
import { connectionLimits, possibleConnections } from '../http/connection-limits.ts';
import { listen } from '../http/http-server.ts';
import { DEMO_FACT } from '../reference/demo-data.ts';
import { ClosingOrder } from './closing-order.ts';
import { openService, type ServiceDependencies } from './open-service.ts';
import { Retention } from './retention.ts';
import { startMessage } from './start-message.ts';

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

/** How often the TLS files are compared with those in use. */
const TLS_INTERVAL_MS = 60_000;

/** How often the waiting messages are counted for the status page. */
const NOTE_INTERVAL_MS = 60_000;

/** Opens the service in this process and listens. Leaves nothing open if it fails. `droppedLines`: of the log. */
export async function serve(dependencies: ServiceDependencies, droppedLines: () => number) {
  const { config, log, machine, processReport = {} } = dependencies;
  const { operations, stopGraceSeconds } = config.monitoring;
  const { clock } = machine;
  const open = new ClosingOrder();
  try {
    const service = await openService(dependencies);
    const { noteWaiting, store, contract, outbox, budgets } = service;
    open.add(() => store.close());
    // Before the database is closed, because the number of refusals is a row of the audit trail.
    open.add(() => budgets.reportEnded(true));
    open.every(REPORT_INTERVAL_MS, () => void budgets.reportEnded());
    if (operations !== undefined) {
      open.every(NOTE_INTERVAL_MS, () => void noteWaiting().catch(() => {}));
      // Closed after the service's own port, so that monitoring can see that the service is stopping.
      const operating = await listenOperating(service.operatingPages, operations, config.allowedHosts);
      open.add(() => operating.close());
      log.info('listening on the operations port', { address: operations.host, port: operating.port });
    }
    const tlsSettings = config.access.tls;
    // Node's TLS is loaded only by a service that uses it.
    const tlsFiles = tlsSettings && (await import('../http/tls-files.ts'));
    const readTls = () => tlsSettings && tlsFiles?.readTlsFiles(tlsSettings, clock());
    // Before they are read for the first time, so that no change is missed.
    const isTlsChanged = tlsSettings && tlsFiles?.changesOf(tlsSettings);
    const tls = readTls();
    const limits = connectionLimits(config);
    const most = Math.min(limits.most, possibleConnections(processReport));
    const demoData = (await store.read(({ facts }) => facts.get(DEMO_FACT))) !== undefined;
    const warnings = await service.startWarnings();
    for (const { subject, text } of warnings) log.warn('a check warns', { subject, reason: text });
    // From here on nothing is awaited, so that no signal arrives before it is heeded.
    const address = { host: config.host, port: config.port, isShared: config.sharedPort };
    const server = await listen(service.app, address, { ...limits, most }, tls, service.refuse);
    let reported = 0;
    const reportRefused = () => {
      const count = server.refusedConnections() - reported;
      if (count > 0) log.warn('connections refused', { count });
      reported += count;
    };
    open.add(async () => reportRefused());
    open.every(REFUSED_INTERVAL_MS, reportRefused);
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
    if (isTlsChanged !== undefined) open.every(TLS_INTERVAL_MS, () => isTlsChanged() && reloadTls());
    const { gateway } = config.sms;
    const messageFile = gateway.kind === 'file' ? gateway.path : undefined;
    const retention = new Retention({
      ...machine,
      clock: store.clock,
      store,
      log,
      keptDays: config.retentionDays,
      messageFile,
    });
    retention.start();
    open.withPrevious(() => retention.stop());
    const scheme = tls === undefined ? 'http' : 'https';
    const baseUrl = config.publicUrl ?? `${scheme}://${nameOf(config.host)}:${server.port}`;
    outbox?.start(baseUrl);
    addProcessMetrics(service.metrics, server, droppedLines);
    const places = { endpoint: baseUrl + contract.path, database: store.description, gateway: outbox?.gateway };
    return {
      /** What a person needs to know once it is running. */
      startMessage: startMessage({ ...places, config, contract, demoData, warnings, now: store.clock() }),
      /** What the log says of the start. */
      facts: { ...places, address: config.host, port: server.port },
      /** Reloads the clients file and the TLS files. An invalid file changes nothing, and the log says so. */
      reload: () => {
        service.reloadClients();
        // Read even if they are the same, so that the log says whether they are valid.
        isTlsChanged?.();
        reloadTls();
      },
      /**
       * Reports itself as not ready for the grace period of a shutdown. After that, it accepts no more connections, finishes the calls in
       * flight and closes the database. Resolves at most 9 s after the grace period, even if something is left.
       */
      stop: async () => {
        service.readiness.stop();
        server.announceClose();
        if (stopGraceSeconds > 0) await machine.pause(stopGraceSeconds * 1000);
        const isClosed = await open.close(STOP_LIMIT_MS, (error) => log.error('not closed cleanly', { error }));
        if (!isClosed) log.warn('stopped before everything was closed', { milliseconds: STOP_LIMIT_MS });
      },
    };
  } catch (error) {
    await open.close(STOP_LIMIT_MS, () => {});
    throw error;
  }
}
