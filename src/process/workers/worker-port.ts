import type { RunningService } from '../serve.ts';
import type { FromWorker, ToWorker } from './worker-messages.ts';

/** How long the primary process may take to gather the metrics of all workers, in milliseconds. */
const METRICS_LIMIT = 4000;

/**
 * How often the workers tell each other who called, in milliseconds: the delay after which each of them knows what the others have
 * admitted.
 */
const COUNTS_INTERVAL = 100;

/** This process's channel to its parent. */
interface Channel {
  readonly send: (message: FromWorker, sent?: () => void) => void;
  readonly onMessage: (listener: (message: ToWorker) => void) => void;
}

/** A worker's channel to the primary process. */
export interface WorkerPort {
  /** Reports that this worker is serving. From then on, also reports who calls, and its metrics on request. */
  ready(service: Pick<RunningService, 'startMessage' | 'facts' | 'registry' | 'rateLimits'>): void;
  /** Reports why this worker can't start, and whether no other worker could either. Resolves when the report has been sent. */
  failed(text: string, isFinal: boolean): Promise<void>;
  /** The metrics of all workers as one text. Rejects if they don't arrive in time. */
  readonly gatherMetrics: () => Promise<string>;
}

export function createWorkerPort({ send, onMessage }: Channel): WorkerPort {
  const waiting = new Map<number, (text: string) => void>();
  let registry: RunningService['registry'] | undefined;
  let rateLimits: RunningService['rateLimits'] | undefined;
  let asked = 0;

  onMessage((message) => {
    if (message.kind === 'all-metrics') waiting.get(message.id)?.(message.text);
    else if (message.kind === 'requests-counted') rateLimits?.addCounts(message.counts);
    else if (message.kind === 'are-you-alive') send({ kind: 'alive' });
    else void tellMetrics();
  });

  async function tellMetrics(): Promise<void> {
    if (registry !== undefined) send({ kind: 'metrics', metrics: await registry.getMetricsAsJSON() });
  }

  function tellCounts(): void {
    const counts = rateLimits?.takeCounts() ?? [];
    if (counts.length > 0) send({ kind: 'requests-counted', counts });
  }

  return {
    ready: (service) => {
      registry = service.registry;
      rateLimits = service.rateLimits;
      setInterval(tellCounts, COUNTS_INTERVAL).unref();
      send({ kind: 'ready', startMessage: service.startMessage, facts: service.facts });
    },
    failed: (text, isFinal) => new Promise((resolve) => send({ kind: 'failed', text, isFinal }, resolve)),
    gatherMetrics: async () => {
      const id = ++asked;
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      waiting.set(id, resolve);
      const late = setTimeout(reject, METRICS_LIMIT, new Error('the primary process sent no metrics'));
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
