import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { createLog } from './log/log.ts';
import { openLogFile } from './log/log-file.ts';
import { serve } from './process/serve.ts';
import { startFailure } from './process/start-failure.ts';
import { readConfig } from './settings/config.ts';
import { newCorrelationId } from './transports/request-ids.ts';

const ON_WINDOWS = process.platform === 'win32';
/**
 * Windows sends no SIGTERM. Ctrl-C is SIGINT, even from a service wrapper, Ctrl-Break is SIGBREAK, and SIGHUP means that the console was
 * closed: there it is not a request to reload files, and Windows ends the process some seconds later.
 */
const STOP_SIGNALS: readonly NodeJS.Signals[] = ON_WINDOWS ? ['SIGINT', 'SIGBREAK', 'SIGHUP'] : ['SIGINT', 'SIGTERM'];

const clock = Date.now;
// Node makes a pipe non-blocking when process.stdout is read for the first time.
const logFile = openLogFile(process.stdout.fd);
// Before pino's own listener, which would try forever to write what a full disk does not accept.
process.prependListener('exit', logFile.destroy);

// The diagnostic report would look up the names of connected machines.
Object.assign(process.report, { excludeNetwork: true });

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel, logFile);
  const service = await serve({
    config,
    log,
    clock,
    stopwatch: () => performance.now(),
    newCorrelationId,
    processKey: randomBytes(32),
    random: Math.random,
    pause: (milliseconds: number) => setTimeout(milliseconds),
    droppedLines: () => logFile.dropped,
    processReport: process.report.getReport(),
  });
  let stopping = false;
  for (const name of STOP_SIGNALS) {
    process.on(name, async (signal) => {
      if (stopping) return;
      stopping = true;
      log.info('stopping', { signal });
      await service.stop();
      log.info('stopped', { signal });
      await logFile.close();
      process.exit(0);
    });
  }
  // If there are no files to reload, closing a terminal ends the service like any other program, but a supervisor's reload does not end it.
  const isReloadable = config.access.clientsFile !== undefined || config.access.tls !== undefined;
  if (!ON_WINDOWS && (isReloadable || !process.stdin.isTTY)) process.on('SIGHUP', service.reload);
  logFile.write(service.startMessage);
  log.info('ready', service.facts);
}

async function fail(error: unknown): Promise<void> {
  await logFile.close();
  process.stderr.write(`${startFailure(error)}\n`);
  process.exit(1);
}

main().catch(fail);
