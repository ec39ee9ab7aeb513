import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Invoke, Outcome } from '../calls/call.ts';
import type { Contract, Operation, Transport } from '../contract/contract.ts';
import { BlockedError, type Store } from '../store/store.ts';
import { ERROR_CODES, type ErrorCode } from '../vocabulary/errors.ts';
import { isRefusal, ResultCode, resultCodeName } from '../vocabulary/result-codes.ts';
import type { DayHistory } from './day-history.ts';
import { inTime } from './readiness.ts';

/** Seconds: a cached list takes tenths of a millisecond, whereas a busy database may take up to 5 s. */
const CALL_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const STORE_BUCKETS = [0.0001, ...CALL_BUCKETS];

/** How long a gauge may take: the scraper gives up soon after that, and would get no metrics at all. */
export const GAUGE_LIMIT_MS = 1000;

/** For requests that were refused before their operation was known. */
const NO_OPERATION = 'none';

export interface MetricsDependencies {
  readonly contract: Contract;
  /** Monotonic milliseconds. */
  readonly stopwatch: () => number;
  /** Is told of the same calls and faults. */
  readonly history?: DayHistory;
}

/** The service's metrics about itself. No label contains a value chosen by a caller. */
export interface Metrics {
  readonly registry: Registry;
  /** Counts the results of calls, and times the calls. */
  metered(invoke: Invoke): Invoke;
  countFault(code: ErrorCode, transport: Transport | 'http', operation: Operation | undefined): void;
  meteredStore(store: Store): Store;
  /**
   * Calls a function whenever the metrics are requested, and reports its result. If the result is undefined, or the function rejects or
   * takes more than a second, the gauge is absent.
   */
  gauge(name: string, help: string, read: ReadGauge): void;
}

type ReadGauge = () => number | undefined | Promise<number | undefined>;

export function createMetrics({ contract, stopwatch, history }: MetricsDependencies): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const calls = new Counter({
    name: 'tpws_calls_total',
    help: 'Requests by operation (none: refused before it was known), transport and outcome: ok, duplicate, refused, or the code of a fault.',
    labelNames: ['operation', 'transport', 'outcome'],
    registers,
  });
  const refusals = new Counter({
    name: 'tpws_refusals_total',
    help: 'Calls that a hospital rule refused, by operation and ResultCode.',
    labelNames: ['operation', 'result_code'],
    registers,
  });
  const callDuration = new Histogram({
    name: 'tpws_call_duration_seconds',
    help: 'Time from reading a call to its result, by operation and transport.',
    labelNames: ['operation', 'transport'],
    buckets: CALL_BUCKETS,
    registers,
  });
  const storeDuration = new Histogram({
    name: 'tpws_store_duration_seconds',
    help: 'Reads and writes of the database; a write lasts until it is on disk.',
    labelNames: ['access'],
    buckets: STORE_BUCKETS,
    registers,
  });
  const blocked = new Counter({
    name: 'tpws_blocked_writes_total',
    help: 'Writes that gave up because another session of PostgreSQL kept a lock of the service; the log says which.',
    registers,
  });
  // Present from the start, at 0, because an alert can detect a counter that rises, but not one that appears.
  const transports = Object.keys(contract.ports);
  const codes = Object.keys(ERROR_CODES);
  for (const transport of ['http', ...transports]) {
    for (const outcome of codes) calls.inc({ operation: NO_OPERATION, transport, outcome }, 0);
  }
  for (const { name: operation, resultCodes } of contract.operations) {
    for (const number of resultCodes.map((name) => ResultCode[name]).filter(isRefusal)) {
      refusals.inc({ operation, result_code: number }, 0);
    }
    for (const transport of transports) {
      for (const outcome of [...CALL_OUTCOMES, ...codes]) calls.inc({ operation, transport, outcome }, 0);
    }
  }

  async function timed<Result>(access: 'read' | 'write', work: () => Promise<Result>): Promise<Result> {
    const began = stopwatch();
    try {
      return await work();
    } finally {
      storeDuration.observe({ access }, (stopwatch() - began) / 1000);
    }
  }

  return {
    registry,
    metered: (invoke) => async (call) => {
      const labels = { operation: call.operation.name, transport: call.transport };
      const began = stopwatch();
      try {
        const outcome = await invoke(call);
        calls.inc({ ...labels, outcome: outcomeOf(outcome) });
        if (outcome.refused) {
          const number = Number(outcome.record.ResultCode);
          refusals.inc({ operation: labels.operation, result_code: number });
          history?.noteRefused(resultCodeName(number) ?? 'refused');
        }
        return outcome;
      } finally {
        const ms = stopwatch() - began;
        callDuration.observe(labels, ms / 1000);
        history?.noteCall(ms);
      }
    },
    countFault: (outcome, transport, operation) => {
      calls.inc({ operation: operation?.name ?? NO_OPERATION, transport, outcome });
      history?.noteRefused(outcome);
    },
    meteredStore: (store) => ({
      description: store.description,
      read: (work) => timed('read', () => store.read(work)),
      write: (work, keys) =>
        timed('write', () => store.write(work, keys)).catch((error: unknown) => {
          if (error instanceof BlockedError) blocked.inc();
          throw error;
        }),
      referenceVersion: () => store.referenceVersion(),
      flaw: () => store.flaw(),
      purge: () => store.purge(),
      size: () => store.size(),
      close: () => store.close(),
    }),
    gauge: (name, help, read) => {
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          const value = await inTime(Promise.try(read), GAUGE_LIMIT_MS).catch(() => undefined);
          if (value === undefined) this.remove();
          else this.set(value);
        },
      });
    },
  };
}

const CALL_OUTCOMES = ['ok', 'duplicate', 'refused'] as const;

function outcomeOf({ refused, record }: Outcome): (typeof CALL_OUTCOMES)[number] {
  if (refused) return 'refused';
  return record.ResultCode === ResultCode.Duplicate ? 'duplicate' : 'ok';
}
