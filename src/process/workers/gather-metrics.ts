import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client';
import type { ProcessMetrics } from './worker-messages.ts';

/** One text of the metrics of several processes; each metric says itself how its values come together. */
export const metricsText = (all: readonly ProcessMetrics[]): Promise<string> => aggregate(all).metrics();

/** What a dead worker counted must stay in the sums: a counter that falls would look like a new start of everything. */
export const buryMetrics = async (
  buried: ProcessMetrics,
  last: ProcessMetrics,
): Promise<readonly MetricObjectWithValues<MetricValue<string>>[]> =>
  aggregate([buried, last.filter(isCounted)]).getMetricsAsJSON();

// prom-client's types give names to the kinds of metrics; its values are texts.
const isCounted = ({ type }: ProcessMetrics[number]): boolean => ['counter', 'histogram'].includes(String(type));

const aggregate = (all: readonly ProcessMetrics[]) =>
  AggregatorRegistry.aggregate(all.map((metrics) => [...metrics]) as unknown as object[]);
