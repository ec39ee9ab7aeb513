import { startFailure } from './doctor/start-failure.ts';
import { createLog } from './log/log.ts';
import { LogFile } from './log/log-file.ts';
import { serve } from './service/serve.ts';
import { thisMachine } from './service/this-machine.ts';
import { readConfig } from './settings/config.ts';
import { onFailedAttempt } from './vocabulary/attempt.ts';
import { VERSION } from './vocabulary/version.ts';

const ON_WINDOWS = process.platform === 'win32';
/**
 * Windows sends no SIGTERM. Ctrl-C is SIGINT, even from a service wrapper, Ctrl-Break is SIGBREAK, and SIGHUP means that the console was
 * closed: there it is not a request to reload files, and Windows ends the process some seconds later.
 */
const STOP_SIGNALS: readonly NodeJS.Signals[] = ON_WINDOWS
  ? ['SIGINT', 'SIGBREAK', 'SIGHUP']
  : ['SIGINT', 'SIGTERM', 'SIGQUIT'];

// Node makes a pipe non-blocking when process.stdout is read for the first time.
const logFile = new LogFile(process.stdout.fd);
// Before pino's own listener, which would try forever to write what a full disk does not accept.
process.prependListener('exit', () => logFile.destroy());

// Small buffers, such as the body of a call, are cut from a block. Node's blocks of 64 KiB last so long under load that V8 counts them as old,
// and then collects the whole heap several times in 10 s, for 10 ms each, to release them. A block of 8 KiB is released with the young objects.
Buffer.poolSize = 8192;

// The diagnostic report would look up the names of connected machines.
Object.assign(process.report, { excludeNetwork: true });

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel, logFile);
  // Node would open its debugger to every user of the machine on the first, and end at once on the second.
  for (const name of ON_WINDOWS ? [] : (['SIGUSR1', 'SIGUSR2'] as const)) {
    process.on(name, (signal) => log.warn('signal ignored', { signal }));
  }
  onFailedAttempt((reason, error) => log.warn('not possible', { reason, error }));
  const dependencies = { config, log, machine: thisMachine, processReport: process.report.getReport() };
  const service = await serve(dependencies, () => logFile.dropped);
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
  // Whoever collects the log expects JSON from its first line on.
  if (process.stdout.isTTY) logFile.write(service.startMessage);
  log.info('ready', { version: VERSION, ...service.facts });
}

async function fail(error: unknown): Promise<void> {
  await logFile.close();
  process.stderr.write(`${startFailure(error)}\n`);
  process.exit(1);
}

main().catch(fail);
