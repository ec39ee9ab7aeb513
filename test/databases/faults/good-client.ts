import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { bodyOf, formRequest } from './requests.ts';

/** The experience of a client that sends small, valid requests all the time, one after the other, on its own connection. */
interface GoodClientReport {
  readonly calls: number;
  /** Milliseconds; the slowest answer shows how long the service's event loop was blocked. */
  readonly p99: number;
  readonly slowest: number;
  /** Answers other than 200, and missing ones. */
  readonly failures: readonly string[];
}

export interface GoodClient {
  /** Resets its results. */
  begin(): void;
  report(): Promise<GoodClientReport>;
  stop(): Promise<void>;
}

export function startGoodClient(port: number): GoodClient {
  const request = formRequest('GET', 'GetDoctor', bodyOf('GetDoctor')).toString('latin1');
  const worker = new Worker(new URL('./good-client-worker.ts', import.meta.url), { workerData: { port, request } });
  return {
    begin: () => worker.postMessage('begin'),
    report: async () => {
      worker.postMessage('report');
      const [{ latencies, failures }] = (await once(worker, 'message')) as [
        { latencies: number[]; failures: readonly string[] },
      ];
      latencies.sort((a, b) => a - b);
      return {
        calls: latencies.length,
        p99: latencies[Math.ceil(latencies.length * 0.99) - 1] ?? 0,
        slowest: latencies.at(-1) ?? 0,
        failures,
      };
    },
    stop: async () => {
      const exited = once(worker, 'exit');
      worker.postMessage('stop');
      await exited;
    },
  };
}
