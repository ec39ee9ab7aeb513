import { readConfig } from './config.ts';
import { DEMO_MARK } from './demo-data.ts';
import { listen } from './http-server.ts';
import { createLog } from './log.ts';
import { openLogFile } from './log-file.ts';
import { openService } from './open-service.ts';
import { startFailure } from './start-failure.ts';
import { startMessage } from './start-message.ts';
import { newCorrelationId } from './transports/correlation-id.ts';

// A process that is killed loses the last tenth of a second of its log, and nothing else.
const logFile = openLogFile(1);

/** How a browser on this machine reaches what listens on an address. */
function nameOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

const isLoopback = (host: string): boolean => /^(?:127\.|::1$|localhost$)/.test(host);

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel, logFile);
  const clock = Date.now;
  const service = await openService({ config, log, clock, newCorrelationId });
  const { store, contract } = service;
  const server = await listen(service.app, config.host, config.port).catch(async (error) => {
    await store.close();
    throw error;
  });
  let stopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    log.info('stopping', { signal });
    await server.close();
    await store.close();
    log.info('stopped', { signal });
    logFile.flush();
    process.exit(0);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);

  logFile.write(
    startMessage({
      contract,
      baseUrl: config.publicUrl ?? `http://${nameOf(config.host)}:${server.port}`,
      storeDescription: store.description,
      demoData: (await store.read(({ reference }) => reference.mark(DEMO_MARK))) !== undefined,
      servicePage: config.servicePage,
      timeZone: config.timeZone,
      now: clock(),
    }),
  );
  if (!isLoopback(config.host)) log.warn('listening beyond loopback without access control', { address: config.host });
  log.info('ready', { address: config.host, port: server.port, database: store.description });
}

main().catch((error: unknown) => {
  logFile.flush();
  process.stderr.write(`${startFailure(error)}\n`);
  process.exit(1);
});
