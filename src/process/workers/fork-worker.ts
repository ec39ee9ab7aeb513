import cluster from 'node:cluster';
import type { FromWorker, ToWorker } from './worker-messages.ts';

/** A worker as the primary process sees it. */
export interface WorkerProcess {
  readonly processId: number | undefined;
  send(message: ToWorker): void;
  signal(signal: NodeJS.Signals): void;
  onMessage(listener: (message: FromWorker) => void): void;
  onExit(listener: (code: number | null, signal: string | null) => void): void;
}

/** Name of the environment variable that tells a worker its number. */
export const WORKER_VARIABLE = 'TPWS_WORKER';

/** Starts this program again, as a worker that shares the port. */
export function forkWorker(number: number): WorkerProcess {
  const worker = cluster.fork({ [WORKER_VARIABLE]: String(number) });
  const { process: child } = worker;
  // This error is about a message to a worker that is just exiting. Its exit is reported separately.
  worker.on('error', () => {});
  return {
    processId: child.pid,
    send: (message) => {
      if (worker.isConnected()) worker.send(message);
    },
    signal: (signal) => void child.kill(signal),
    onMessage: (listener) => void worker.on('message', listener),
    onExit: (listener) => void worker.on('exit', listener),
  };
}
