import { Counter, Gauge, Registry } from 'prom-client';
import type { Log, LogFields } from '../../log/log.ts';
import type { WorkerProcess } from './fork-worker.ts';
import { buryMetrics, metricsText } from './gather-metrics.ts';
import { restartPause } from './restart-pause.ts';
import type { FromWorker, ProcessMetrics } from './worker-messages.ts';

/**
 * How long all workers together have to finish what is in flight, in milliseconds. Any that are left are then killed. Normally, each ends
 * by itself before that.
 */
export const WORKERS_STOP_LIMIT = 9500;
/** How long a worker may take to report its metrics, in milliseconds. */
const METRICS_LIMIT = 2000;
/** How often each worker is asked whether its event loop is still running, in milliseconds. */
const PULSE_INTERVAL = 1000;
/** After how many intervals without an answer a worker is no longer considered ready. */
const SILENT = 5;
/**
 * After how many intervals it is killed and replaced: it keeps its connections, so their callers would wait forever. Intervals are counted
 * rather than measured, so that a machine that resumes after being suspended kills no worker.
 */
const HANGING = 30;

export interface WorkersDependencies {
  readonly count: number;
  readonly fork: (number: number) => WorkerProcess;
  readonly log: Log;
  /** Monotonic time in milliseconds. */
  readonly stopwatch: () => number;
  /** All workers are ready for the first time. */
  readonly onReady: (startMessage: string, facts: LogFields) => void;
  /**
   * A worker can't start; `text` explains why to the person who set up the service. `goesOn` is false if the workers have never all run, or
   * if no worker could ever start: then no replacement is started.
   */
  readonly onFailure: (text: string, goesOn: boolean) => void;
  /** How long a shutdown waits before it kills, in milliseconds; 9.5 s by default. */
  readonly stopLimit?: number;
  /**
   * How often each worker is asked for a sign of life, in milliseconds; 1 s by default. A worker that gives none for 30 intervals is
   * killed.
   */
  readonly pulseInterval?: number;
}

export interface Workers {
  /** Forwards a signal to each of them. */
  signal(signal: NodeJS.Signals): void;
  /** Asks all of them to finish what is in flight and to end. Resolves when they have, within 10 s. */
  stop(): Promise<void>;
}

interface Slot {
  readonly number: number;
  worker: WorkerProcess | undefined;
  isReady: boolean;
  /** The number of intervals since the question that it has not answered yet; 0 if it has answered. */
  silence: number;
  startedAt: number;
  pause: number | undefined;
  /** What it last reported. */
  lastMetrics: ProcessMetrics;
  /** Receives its metrics. */
  tell: ((metrics: ProcessMetrics | undefined) => void) | undefined;
}

/** Keeps a number of identical workers running. One that dies is replaced, after a pause that doubles while workers keep dying. */
export function runWorkers({
  count,
  fork,
  log,
  stopwatch,
  onReady,
  onFailure,
  stopLimit = WORKERS_STOP_LIMIT,
  pulseInterval = PULSE_INTERVAL,
}: WorkersDependencies): Workers {
  const slots: readonly Slot[] = Array.from({ length: count }, (_, i) => ({
    number: i + 1,
    worker: undefined,
    isReady: false,
    silence: 0,
    startedAt: 0,
    pause: undefined,
    lastMetrics: [],
    tell: undefined,
  }));
  const registry = new Registry();
  new Gauge({
    name: 'tpws_workers',
    help: 'Worker processes that are ready and answer.',
    registers: [registry],
    collect() {
      this.set(slots.filter(({ isReady, silence }) => isReady && silence < SILENT).length);
    },
  });
  const deaths = new Counter({
    name: 'tpws_worker_deaths_total',
    help: 'Worker processes that ended without being told to.',
    registers: [registry],
  });
  let buried: ProcessMetrics = [];
  let burial: Promise<void> = Promise.resolve();
  let wereAllReady = false;
  let isStopping = false;
  let hasFailed = false;
  let onceAllEnded: (() => void) | undefined;

  function start(slot: Slot): void {
    const worker = fork(slot.number);
    slot.worker = worker;
    slot.startedAt = stopwatch();
    slot.silence = 0;
    worker.onMessage((message) => hear(slot, worker, message));
    worker.onExit((code, signal) => replace(slot, code, signal));
  }

  function hear(slot: Slot, worker: WorkerProcess, message: FromWorker): void {
    switch (message.kind) {
      case 'ready':
        slot.isReady = true;
        if (wereAllReady || !slots.every(({ isReady }) => isReady)) return;
        wereAllReady = true;
        onReady(message.startMessage, message.facts);
        return;
      case 'failed':
        log.error('worker cannot start', { worker: slot.number });
        if (hasFailed || isStopping) return;
        hasFailed = message.isFinal || !wereAllReady;
        onFailure(message.text, !hasFailed);
        return;
      case 'metrics-wanted':
        void allMetrics().then((text) => worker.send({ kind: 'all-metrics', id: message.id, text }));
        return;
      case 'requests-counted':
        for (const other of slots) {
          if (other !== slot && other.isReady) other.worker?.send(message);
        }
        return;
      case 'metrics':
        slot.tell?.(message.metrics);
        return;
      case 'alive':
        slot.silence = 0;
    }
  }

  function takePulse(slot: Slot): void {
    const { worker, number } = slot;
    if (worker === undefined || !slot.isReady || isStopping) return;
    slot.silence++;
    if (slot.silence === 1) worker.send({ kind: 'are-you-alive' });
    if (slot.silence === SILENT) log.warn('worker does not answer', { worker: number });
    if (slot.silence < HANGING) return;
    log.error('worker hangs and is killed', { worker: number });
    slot.isReady = false;
    worker.signal('SIGKILL');
  }

  function replace(slot: Slot, code: number | null, signal: string | null): void {
    slot.worker = undefined;
    slot.isReady = false;
    slot.tell?.(undefined);
    const last = slot.lastMetrics;
    slot.lastMetrics = [];
    burial = burial.then(async () => {
      buried = await buryMetrics(buried, last);
    });
    if (isStopping) {
      if (slots.every(({ worker }) => worker === undefined)) onceAllEnded?.();
      return;
    }
    if (hasFailed) return;
    deaths.inc();
    slot.pause = restartPause(slot.pause, stopwatch() - slot.startedAt);
    const ending = signal === null ? { status: code ?? 0 } : { signal };
    log.error('worker ended', { worker: slot.number, milliseconds: slot.pause, ...ending });
    setTimeout(() => {
      if (!isStopping && !hasFailed) start(slot);
    }, slot.pause);
  }

  function metricsOf(slot: Slot): Promise<ProcessMetrics | undefined> {
    const worker = slot.worker;
    if (worker === undefined || !slot.isReady) return Promise.resolve(undefined);
    const { promise, resolve } = Promise.withResolvers<ProcessMetrics | undefined>();
    // A worker that hangs must not withhold the others' metrics from anyone who investigates it.
    const late = setTimeout(resolve, METRICS_LIMIT, undefined);
    const earlier = slot.tell;
    slot.tell = (metrics) => {
      clearTimeout(late);
      earlier?.(metrics);
      resolve(metrics);
    };
    if (earlier === undefined) worker.send({ kind: 'tell-metrics' });
    return promise.finally(() => {
      slot.tell = undefined;
    });
  }

  async function allMetrics(): Promise<string> {
    const living = await Promise.all(
      slots.map(async (slot) => {
        const told = await metricsOf(slot);
        if (told !== undefined && slot.worker !== undefined) slot.lastMetrics = told;
        // For a silent worker, its last counts; its gauges are out of date.
        return slot.lastMetrics;
      }),
    );
    await burial;
    return metricsText([...living, buried, await registry.getMetricsAsJSON()]);
  }

  for (const slot of slots) start(slot);
  setInterval(() => slots.forEach(takePulse), pulseInterval).unref();

  return {
    signal: (signal) => {
      for (const { worker } of slots) worker?.signal(signal);
    },
    stop: async () => {
      isStopping = true;
      if (slots.every(({ worker }) => worker === undefined)) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      onceAllEnded = resolve;
      for (const { worker } of slots) worker?.signal('SIGTERM');
      const late = setTimeout(() => {
        for (const { number, worker } of slots) {
          if (worker === undefined) continue;
          log.warn('worker killed', { worker: number });
          worker.signal('SIGKILL');
        }
      }, stopLimit);
      await promise;
      clearTimeout(late);
    },
  };
}
