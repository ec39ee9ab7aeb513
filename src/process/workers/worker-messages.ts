import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { RequestCounts } from '../../access/rate-limits.ts';
import type { LogFields } from '../../log/log.ts';

/** The metrics of one process, as prom-client exports them. */
export type ProcessMetrics = readonly MetricObjectWithValues<MetricValue<string>>[];

/** What a worker sends to the primary process. */
export type FromWorker =
  | { readonly kind: 'ready'; readonly startMessage: string; readonly facts: LogFields }
  /** It could not start, and ends; `text` is for the person who set up the service. `isFinal`: another worker would fail as well. */
  | { readonly kind: 'failed'; readonly text: string; readonly isFinal: boolean }
  /** It received a request for the metrics of all workers. */
  | { readonly kind: 'metrics-wanted'; readonly id: number }
  | { readonly kind: 'metrics'; readonly metrics: ProcessMetrics }
  /** The answer to `are-you-alive`. */
  | { readonly kind: 'alive' }
  | RequestsCounted;

/** What the primary process sends to a worker. */
export type ToWorker =
  | { readonly kind: 'tell-metrics' }
  | { readonly kind: 'are-you-alive' }
  /** The metrics of all of them as text, in answer to `metrics-wanted` with the same number. */
  | { readonly kind: 'all-metrics'; readonly id: number; readonly text: string }
  | RequestsCounted;

/** Who called since the last message, and how often. Forwarded to all other workers. */
interface RequestsCounted {
  readonly kind: 'requests-counted';
  readonly counts: RequestCounts;
}
