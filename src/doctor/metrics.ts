import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Call, Invoke, Outcome } from '../calls/call.ts';
import type { Contract, Operation, Transport } from '../contract/contract.ts';
import { BlockedError, type Store } from '../store/store.ts';
import { ERROR_CODES, type ErrorCode } from '../vocabulary/errors.ts';
import { inTime } from '../vocabulary/in-time.ts';
import type { Machine } from '../vocabulary/machine.ts';
import { isRefusal, ResultCode, resultCodeName } from '../vocabulary/result-codes.ts';
import type { DayHistory } from './day-history.ts';

/** Seconds: a cached list takes tenths of a millisecond, whereas a busy database may take up to 5 s. */
const CALL_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const STORE_BUCKETS = [0.0001, ...CALL_BUCKETS];

/** How long a gauge may take: the scraper gives up soon after that, and would get no metrics at all. */
export const GAUGE_LIMIT_MS = 1000;

/** For requests that were refused before their operation was known. */
const NO_OPERATION = 'none';

export interface MetricsDependencies extends Pick<Machine, 'stopwatch'> {
  readonly contract: Contract;
  /** Is told of the same calls and faults. */
  readonly history?: DayHistory;
}

type ReadGauge = () => number | undefined | Promise<number | undefined>;

/** The service's metrics about itself. No label contains a value chosen by a caller. */
export class Metrics {
  readonly registry = new Registry();
  readonly #stopwatch: () => number;
  readonly #history: DayHistory | undefined;
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

  constructor({ contract, stopwatch, history }: MetricsDependencies) {
    this.#stopwatch = stopwatch;
    this.#history = history;
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

  /** Counts the results of calls, and times the calls. */
  metered(invoke: Invoke): Invoke {
    return (call) => {
      const began = this.#stopwatch();
      const result = invoke(call);
      result.then(
        (outcome) => this.#noteCall(call, began, outcome),
        () => this.#noteCall(call, began),
      );
      return result;
    };
  }

  countFault(code: ErrorCode, transport: Transport | 'http', operation: Operation | undefined): void {
    this.#calls.inc({ operation: operation?.name ?? NO_OPERATION, transport, outcome: code });
    this.#history?.noteRefused(code);
  }

  meteredStore(store: Store): Store {
    return {
      description: store.description,
      clock: store.clock,
      read: (work) => this.#timed('read', () => store.read(work)),
      write: (work, keys) => this.#timed('write', () => store.write(work, keys)),
      reference: () => store.reference(),
      flaw: () => store.flaw(),
      purge: () => store.purge(),
      size: () => store.size(),
      close: () => store.close(),
    };
  }

  /**
   * Calls a function whenever the metrics are requested, and reports its result. If the result is undefined, or the function rejects or
   * takes more than a second, the gauge is absent.
   */
  gauge(name: string, help: string, read: ReadGauge): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      async collect() {
        const value = await inTime(Promise.try(read), GAUGE_LIMIT_MS).catch(() => undefined);
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
  }

  #noteCall({ operation: { name: operation }, transport }: Call, began: number, outcome?: Outcome): void {
    const ms = this.#stopwatch() - began;
    this.#callDuration.observe({ operation, transport }, ms / 1000);
    this.#history?.noteCall(ms);
    if (outcome === undefined) return;
    this.#calls.inc({ operation, transport, outcome: outcomeOf(outcome) });
    if (!outcome.refused) return;
    const number = Number(outcome.record.ResultCode);
    this.#refusals.inc({ operation, result_code: number });
    this.#history?.noteRefused(resultCodeName(number) ?? 'refused');
  }

  /** The work's own promise, because one that is derived from it would reach the caller later. */
  #timed<Result>(access: 'read' | 'write', work: () => Promise<Result>): Promise<Result> {
    const began = this.#stopwatch();
    const result = work();
    const observe = () => this.#storeDuration.observe({ access }, (this.#stopwatch() - began) / 1000);
    result.then(observe, (error: unknown) => {
      observe();
      if (error instanceof BlockedError) this.#blocked.inc();
    });
    return result;
  }
}

const CALL_OUTCOMES = ['ok', 'duplicate', 'refused'] as const;

function outcomeOf({ refused, record }: Outcome): (typeof CALL_OUTCOMES)[number] {
  if (refused) return 'refused';
  return record.ResultCode === ResultCode.Duplicate ? 'duplicate' : 'ok';
}
