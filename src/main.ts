import cluster from 'node:cluster';
import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { createLog, type LogFields } from './log/log.ts';
import { openLogFile } from './log/log-file.ts';
import type { ServeDependencies } from './process/serve.ts';
import { startFailure } from './process/start-failure.ts';
import { forkWorker, WORKER_VARIABLE } from './process/workers/fork-worker.ts';
import { runWorkers, WORKERS_STOP_LIMIT } from './process/workers/run-workers.ts';
import { workerCount } from './process/workers/worker-count.ts';
import { createWorkerPort, type WorkerPort } from './process/workers/worker-port.ts';
import { readConfig, removed } from './settings/config.ts';
import { outboxLimits } from './sms/outbox-limits.ts';
import { newCorrelationId } from './transports/correlation-id.ts';

/** Loaded only by processes that serve. Without it, the primary process of workers starts faster and takes less memory. */
const loadService = () => import('./process/serve.ts');

const clock = Date.now;
const stopwatch = () => performance.now();

const ON_WINDOWS = process.platform === 'win32';
/**
 * Windows sends no SIGTERM. Ctrl-C is SIGINT, even from a service wrapper, Ctrl-Break is SIGBREAK, and SIGHUP means that the console was
 * closed: there it is not a request to reload files, and Windows ends the process some seconds later.
 */
const STOP_SIGNALS: readonly NodeJS.Signals[] = ON_WINDOWS ? ['SIGINT', 'SIGBREAK', 'SIGHUP'] : ['SIGINT', 'SIGTERM'];

const workerNumber = cluster.isWorker ? Number(process.env[WORKER_VARIABLE]) : undefined;
/** Standard output, if it is a pipe or a socket. Node has no public name for this. On Windows, a pipe must block. */
const pipe = ON_WINDOWS
  ? undefined
  : (process.stdout as { readonly _handle?: { setBlocking?(isBlocking: boolean): void } })._handle;
// A process that is killed loses only what was logged in about the last 10 ms, or longer if the reader is slow.
const logFile = openLogFile(1, {
  shared: workerNumber !== undefined,
  // Repeated for each write, because a worker that starts or ends makes the pipe blocking again for all processes that share it.
  beforeWrite: () => pipe?.setBlocking?.(false),
});

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel, clock, logFile, workerNumber);
  const dependencies = {
    config,
    log,
    clock,
    followsDatabase: true,
    stopwatch,
    newCorrelationId,
    processKey: randomBytes(32),
    random: Math.random,
    outboxLimits: outboxLimits(config.sms.rate),
    pause: (milliseconds: number) => setTimeout(milliseconds),
    droppedLines: () => logFile.dropped,
    giveUp: (error: unknown) => endWith(startFailure(error), true),
    processes: workerCount(config, { cores: availableParallelism(), platform: process.platform }),
  };
  const { processes } = dependencies;
  if (workerPort !== undefined) return serveAsWorker(dependencies, workerPort);
  for (const { name, instead } of removed(process.env)) log.warn('no such setting', { setting: name, reason: instead });
  return processes === 1 ? serveAlone(dependencies) : keepWorkers(dependencies);
}

type ProcessDependencies = Omit<ServeDependencies, 'gatherMetrics'>;

async function serveAlone(dependencies: ProcessDependencies): Promise<void> {
  const { log } = dependencies;
  const { serve } = await loadService();
  const service = await serve({ ...dependencies, gatherMetrics: undefined });
  stopAtSignals(dependencies, service.stop);
  // If there are no files to reload, closing a terminal ends the service like any other program, but a supervisor's reload does not end it.
  if (!ON_WINDOWS && (isReloadable(dependencies) || !process.stdin.isTTY)) process.on('SIGHUP', service.reload);
  logFile.write(service.startMessage);
  log.info(stageOf(service.facts), service.facts);
}

async function serveAsWorker(dependencies: ProcessDependencies, port: WorkerPort): Promise<void> {
  const { log } = dependencies;
  const { serve } = await loadService();
  const service = await serve({ ...dependencies, gatherMetrics: port.gatherMetrics });
  stopAtSignals(dependencies, service.stop);
  process.on('SIGHUP', service.reload);
  log.info(`worker ${stageOf(service.facts)}`, service.facts);
  port.ready(service);
}

async function keepWorkers(dependencies: ProcessDependencies): Promise<void> {
  const { config, log, processes } = dependencies;
  const workers = runWorkers({
    count: processes,
    fork: forkWorker,
    log,
    stopwatch,
    stopLimit: WORKERS_STOP_LIMIT + config.monitoring.stopGrace,
    onReady: (startMessage, facts) => {
      logFile.write(startMessage);
      log.info(stageOf(facts), facts);
    },
    onFailure: (text, goesOn) => {
      if (goesOn) process.stderr.write(`${text}\n`);
      else workers.stop().then(() => fail(text));
    },
  });
  stopAtSignals(dependencies, workers.stop);
  process.on('SIGHUP', (signal) => workers.signal(signal));
}

const stageOf = ({ reason }: LogFields) => (reason === undefined ? 'ready' : 'listening');

const isReloadable = ({ config: { access } }: ProcessDependencies): boolean =>
  access.clientsFile !== undefined || access.tls !== undefined;

function stopAtSignals({ log }: ProcessDependencies, close: () => Promise<void>): void {
  let stopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    log.info('stopping', { signal });
    await close();
    log.info('stopped', { signal });
    logFile.flush();
    process.exit(0);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
}

function fail(text: string): void {
  logFile.flush();
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

const workerPort = cluster.isWorker
  ? createWorkerPort({
      send: (message, sent = () => {}) => void process.send?.(message, undefined, undefined, sent),
      onMessage: (listener) => void process.on('message', listener),
    })
  : undefined;

/** `isFinal`: starting again would not help. */
function endWith(text: string, isFinal: boolean): void {
  // The primary process decides whether to report it.
  if (workerPort === undefined) fail(text);
  else workerPort.failed(text, isFinal).then(() => process.exit(1));
}

main().catch((error: unknown) => endWith(startFailure(error), false));
