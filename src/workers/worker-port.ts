import type { RunningService } from '../serve.ts';
import type { FromWorker, ToWorker } from './worker-messages.ts';

/** How long the primary process may take to gather the metrics of all, in milliseconds. */
const METRICS_LIMIT = 4000;

/** This process's channel to its parent. */
interface Channel {
  readonly send: (message: FromWorker, sent?: () => void) => void;
  readonly onMessage: (listener: (message: ToWorker) => void) => void;
}

/** A worker's line to the primary process. */
export interface WorkerPort {
  /** Tells that this worker serves, and from now on its metrics when they are asked for. */
  ready(service: Pick<RunningService, 'startMessage' | 'facts' | 'registry'>): void;
  /** Tells why this worker can't start; resolves when it is told. */
  failed(text: string): Promise<void>;
  /** The metrics of all workers as one text; rejects if they don't come in time. */
  readonly gatherMetrics: () => Promise<string>;
}

export function createWorkerPort({ send, onMessage }: Channel): WorkerPort {
  const waiting = new Map<number, (text: string) => void>();
  let registry: RunningService['registry'] | undefined;
  let asked = 0;

  onMessage((message) => {
    if (message.kind === 'all-metrics') waiting.get(message.id)?.(message.text);
    else void tellMetrics();
  });

  async function tellMetrics(): Promise<void> {
    if (registry !== undefined) send({ kind: 'metrics', metrics: await registry.getMetricsAsJSON() });
  }

  return {
    ready: (service) => {
      registry = service.registry;
      send({ kind: 'ready', startMessage: service.startMessage, facts: service.facts });
    },
    failed: (text) => new Promise((resolve) => send({ kind: 'failed', text }, resolve)),
    gatherMetrics: async () => {
      const id = ++asked;
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      waiting.set(id, resolve);
      const late = setTimeout(reject, METRICS_LIMIT, new Error('the primary process told no metrics'));
      send({ kind: 'metrics-wanted', id });
      try {
        return await promise;
      } finally {
        clearTimeout(late);
        waiting.delete(id);
      }
    },
  };
}
