import { Counter, Gauge, Registry } from 'prom-client';
import type { Invoke, Outcome } from '../calls/call.ts';
import type { Contract, Operation, Transport } from '../contract/contract.ts';
import type { Store } from '../store/store.ts';
import { ERROR_CODES, type ErrorCode } from '../vocabulary/errors.ts';
import { ResultCode } from '../vocabulary/result-codes.ts';
import { inTime } from './in-time.ts';
import { meteredStore } from './metered-store.ts';
import { type Durations, TalliedHistogram } from './tallied-histogram.ts';

/** Seconds: a cached list takes tenths of a millisecond, whereas a busy database may take up to 5 s. */
const CALL_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const STORE_BUCKETS = [0.0001, ...CALL_BUCKETS];

/** How long a gauge may take, in milliseconds: the scraper gives up soon after that, and would get no metrics at all. */
export const GAUGE_LIMIT = 1000;

/** For requests that were refused before their operation was known. */
const NO_OPERATION = 'none';

export interface MetricsDependencies {
  readonly contract: Contract;
  /** Monotonic milliseconds. */
  readonly stopwatch: () => number;
}

/** How the values of several workers on one machine are combined. */
type OfWorkers = 'sum' | 'max' | 'min' | 'average';

/** The service's metrics about itself. No label contains a value chosen by a caller. */
export interface Metrics {
  readonly registry: Registry;
  /** Counts the results of calls, and times the calls. */
  metered(invoke: Invoke): Invoke;
  /** Counts a request that was answered with a fault. */
  countFault(code: ErrorCode, transport: Transport | 'http', operation: Operation | undefined): void;
  /** Times each read and write. */
  meteredStore(store: Store): Store;
  /**
   * Calls a function whenever the metrics are requested, and reports its result. If the result is undefined, or the function rejects or
   * takes more than a second, the gauge is absent. The values of several workers are added up unless `ofWorkers` says otherwise.
   */
  gauge(name: string, help: string, read: ReadGauge, ofWorkers?: OfWorkers): void;
}

type ReadGauge = () => number | undefined | Promise<number | undefined>;

/** A counter's value for one combination of labels. Incrementing it costs almost nothing, and prom-client reads it on request. */
interface Tally {
  readonly labels: Readonly<Record<string, string>>;
  count: number;
}

type CallOutcome = 'ok' | 'duplicate' | 'refused';

interface CallTallies extends Record<CallOutcome, Tally> {
  readonly durations: Durations;
}

export function createMetrics({ contract, stopwatch }: MetricsDependencies): Metrics {
  const registry = new Registry();
  const tallies = new Map<string, Tally>();
  new Counter({
    name: 'tpws_calls_total',
    help: 'Requests by operation (none: refused before it was known), transport and outcome: ok, duplicate, refused, or the code of a fault.',
    labelNames: ['operation', 'transport', 'outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { labels, count } of tallies.values()) this.inc(labels, count);
    },
  });
  const callDuration = new TalliedHistogram({
    name: 'tpws_call_duration_seconds',
    help: 'Time from reading a call to its result, by operation and transport.',
    buckets: CALL_BUCKETS,
    registry,
  });
  const storeDuration = new TalliedHistogram({
    name: 'tpws_store_duration_seconds',
    help: 'Reads and writes of the database; a write lasts until it is on disk.',
    buckets: STORE_BUCKETS,
    registry,
  });

  function tallyOf(operation: string, transport: string, outcome: string): Tally {
    const key = `${operation} ${transport} ${outcome}`;
    let tally = tallies.get(key);
    if (tally === undefined) {
      tally = { labels: { operation, transport, outcome }, count: 0 };
      tallies.set(key, tally);
    }
    return tally;
  }

  const byTransport = (operation: Operation): ReadonlyMap<Transport, CallTallies> =>
    new Map(
      (Object.keys(contract.ports) as Transport[]).map((transport) => [
        transport,
        {
          ok: tallyOf(operation.name, transport, 'ok'),
          duplicate: tallyOf(operation.name, transport, 'duplicate'),
          refused: tallyOf(operation.name, transport, 'refused'),
          durations: callDuration.durationsOf({ operation: operation.name, transport }),
        },
      ]),
    );
  // Present from the start, at 0, because an alert can detect a counter that rises, but not one that appears.
  const transports = Object.keys(contract.ports);
  for (const code of Object.keys(ERROR_CODES)) {
    for (const transport of ['http', ...transports]) tallyOf(NO_OPERATION, transport, code);
    for (const { name } of contract.operations) for (const transport of transports) tallyOf(name, transport, code);
  }
  const calls = new Map(contract.operations.map((operation) => [operation, byTransport(operation)]));

  return {
    registry,
    metered: (invoke) => (call) => {
      const began = stopwatch();
      const counted = calls.get(call.operation)?.get(call.transport);
      const observe = () => counted?.durations.observe((stopwatch() - began) / 1000);
      const answered = invoke(call);
      // The caller gets the original promise, because waiting for one derived from it would take longer.
      answered.then((outcome) => {
        if (counted !== undefined) counted[outcomeOf(outcome)].count++;
        observe();
      }, observe);
      return answered;
    },
    countFault: (code, transport, operation) => {
      tallyOf(operation?.name ?? NO_OPERATION, transport, code).count++;
    },
    meteredStore: (store) =>
      meteredStore(store, {
        stopwatch,
        read: storeDuration.durationsOf({ access: 'read' }),
        write: storeDuration.durationsOf({ access: 'write' }),
      }),
    gauge: (name, help, read, aggregator = 'sum') => {
      new Gauge({
        name,
        help,
        registers: [registry],
        aggregator,
        async collect() {
          const value = await inTime(Promise.try(read), GAUGE_LIMIT).catch(() => undefined);
          if (value === undefined) this.remove();
          else this.set(value);
        },
      });
    },
  };
}

function outcomeOf({ refused, record }: Outcome): CallOutcome {
  if (refused) return 'refused';
  return record.ResultCode === ResultCode.Duplicate ? 'duplicate' : 'ok';
}
