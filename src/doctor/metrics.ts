import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { CallEvent } from '../calls/call.ts';
import type { Contract } from '../contract/contract.ts';
import { BlockedError } from '../store/store.ts';
import { ERROR_CODES } from '../vocabulary/errors.ts';
import { inTime } from '../vocabulary/in-time.ts';
import type { Machine } from '../vocabulary/machine.ts';
import { isRefusal, ResultCode } from '../vocabulary/result-codes.ts';

/** Seconds: a cached list takes tenths of a millisecond, whereas a busy database may take up to 5 s. */
const CALL_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const STORE_BUCKETS = [0.0001, ...CALL_BUCKETS];

/** How long a gauge may take: the scraper gives up soon after that, and would get no metrics at all. */
export const GAUGE_LIMIT_MS = 1000;

/** For requests that were refused before their operation was known. */
const NO_OPERATION = 'none';

export interface MetricsDependencies extends Pick<Machine, 'stopwatch'> {
  readonly contract: Contract;
}

type ReadGauge = () => number | undefined | Promise<number | undefined>;

/** The service's metrics about itself. No label contains a value chosen by a caller. */
export class Metrics {
  readonly registry = new Registry();
  readonly #stopwatch: () => number;
  readonly #calls = new Counter({
    name: 'tpws_calls_total',
    help: 'Requests by operation (none: refused before it was known), transport and outcome: ok, duplicate, refused, or the code of a fault.',
    labelNames: ['operation', 'transport', 'outcome'],
    registers: [this.registry],
  });
  readonly #refusals = new Counter({
    name: 'tpws_refusals_total',
    help: 'Calls that a hospital rule refused, by operation and ResultCode.',
    labelNames: ['operation', 'result_code'],
    registers: [this.registry],
  });
  readonly #callDuration = new Histogram({
    name: 'tpws_call_duration_seconds',
    help: 'Time from reading a call to its result, by operation and transport.',
    labelNames: ['operation', 'transport'],
    buckets: CALL_BUCKETS,
    registers: [this.registry],
  });
  readonly #storeDuration = new Histogram({
    name: 'tpws_store_duration_seconds',
    help: 'Reads and writes of the database; a write lasts until it is on disk.',
    labelNames: ['access'],
    buckets: STORE_BUCKETS,
    registers: [this.registry],
  });
  readonly #blocked = new Counter({
    name: 'tpws_blocked_writes_total',
    help: 'Writes that gave up because another session of PostgreSQL kept a lock of the service; the log says which.',
    registers: [this.registry],
  });

  constructor({ contract, stopwatch }: MetricsDependencies) {
    this.#stopwatch = stopwatch;
    // Present from the start, at 0, because an alert can detect a counter that rises, but not one that appears.
    const transports = Object.keys(contract.ports);
    const codes = Object.keys(ERROR_CODES);
    for (const transport of ['http', ...transports]) {
      for (const outcome of codes) this.#calls.inc({ operation: NO_OPERATION, transport, outcome }, 0);
    }
    for (const { name: operation, resultCodes } of contract.operations) {
      for (const number of resultCodes.map((name) => ResultCode[name]).filter(isRefusal)) {
        this.#refusals.inc({ operation, result_code: number }, 0);
      }
      for (const transport of transports) {
        for (const outcome of [...CALL_OUTCOMES, ...codes]) this.#calls.inc({ operation, transport, outcome }, 0);
      }
    }
  }

  /** Counts what ended, and times calls. */
  count({ operation, transport, ms, resultCode, fault }: CallEvent): void {
    const labels = { operation: operation?.name ?? NO_OPERATION, transport };
    if (ms !== undefined) this.#callDuration.observe(labels, ms / 1000);
    const outcome = fault ?? (resultCode === undefined ? undefined : outcomeOf(resultCode));
    if (outcome !== undefined) this.#calls.inc({ ...labels, outcome });
    if (resultCode !== undefined && outcome === 'refused') {
      this.#refusals.inc({ operation: labels.operation, result_code: resultCode });
    }
  }

  /** Times a read or write of the database; call the result when it has ended. */
  timeAccess(access: 'read' | 'write'): (error?: unknown) => void {
    const began = this.#stopwatch();
    return (error) => {
      this.#storeDuration.observe({ access }, (this.#stopwatch() - began) / 1000);
      if (error instanceof BlockedError) this.#blocked.inc();
    };
  }

  /**
   * Calls a function whenever the metrics are requested, and reports its result. If the result is undefined, or the function rejects or
   * takes more than a second, the gauge is absent.
   */
  gauge(name: string, help: string, read: ReadGauge): void {
    this.gauges(name, help, [], async () => {
      const value = await read();
      return value === undefined ? [] : [[{}, value]];
    });
  }

  /** Like `gauge`, of several values with labels; those with the same labels are added up. */
  gauges<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    read: () => Promise<Iterable<readonly [labels: Partial<Record<Label, string | number>>, value: number]>>,
  ): void {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [this.registry],
      async collect() {
        const values = await inTime(Promise.try(read), GAUGE_LIMIT_MS).catch(() => undefined);
        this.reset();
        // Without labels, `reset` leaves a 0.
        this.remove({});
        for (const [labels, value] of values ?? []) this.inc(labels, value);
      },
    });
  }
}

const CALL_OUTCOMES = ['ok', 'duplicate', 'refused'] as const;

function outcomeOf(resultCode: number): (typeof CALL_OUTCOMES)[number] {
  if (isRefusal(resultCode)) return 'refused';
  return resultCode === ResultCode.Duplicate ? 'duplicate' : 'ok';
}
