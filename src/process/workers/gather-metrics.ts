import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client';
import type { ProcessMetrics } from './worker-messages.ts';

/** Merges the metrics of several processes into one text. Each metric defines how its values are combined. */
export const metricsText = (all: readonly ProcessMetrics[]): Promise<string> => aggregate(all).metrics();

/** The counts of a dead worker must remain in the sums: a counter that falls would look like a restart of the whole service. */
export const buryMetrics = async (
  buried: ProcessMetrics,
  last: ProcessMetrics,
): Promise<readonly MetricObjectWithValues<MetricValue<string>>[]> =>
  aggregate([buried, last.filter(isCounted)]).getMetricsAsJSON();

// In prom-client's types the kinds of metrics are an enumeration, but its values are texts.
const isCounted = ({ type }: ProcessMetrics[number]): boolean => ['counter', 'histogram'].includes(String(type));

const aggregate = (all: readonly ProcessMetrics[]) =>
  AggregatorRegistry.aggregate(all.map((metrics) => [...metrics]) as unknown as object[]);
