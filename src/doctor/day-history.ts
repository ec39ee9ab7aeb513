import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import type { CallEvent } from '../calls/call.ts';
import { isRefusal, ResultCode, resultCodeName } from '../vocabulary/result-codes.ts';

const QUARTER_MS = 15 * 60_000;
const QUARTERS = 96;
/** Durations are counted in microseconds, to about a tenth of each; one of more than an hour is not. */
const DURATIONS = { highest: 3_600_000_000, figures: 1 };

export interface Counts {
  /** Of calls, in microseconds. */
  readonly durations: RecordableHistogram;
  /** By the name of the ResultCode or of the fault. */
  readonly refused: Map<string, number>;
  /** Text messages that waited when it was last looked at. */
  waiting: number | undefined;
}

export interface Quarter extends Counts {
  /** Instant, ms: a whole quarter of an hour. */
  readonly begins: number;
}

const emptyCounts = (): Counts => ({ durations: createHistogram(DURATIONS), refused: new Map(), waiting: undefined });

const addRefused = ({ refused }: Counts, name: string, count: number) =>
  refused.set(name, (refused.get(name) ?? 0) + count);

/** The last 24 hours of this process, in memory, by quarters of an hour. */
export class DayHistory {
  readonly #clock: () => number;
  readonly #quarters = new Map<number, Quarter>();

  /** `clock`: ms since the epoch. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  count({ ms, resultCode = ResultCode.OK, fault }: CallEvent): void {
    const quarter = this.#current();
    if (ms !== undefined) quarter.durations.record(Math.max(1, Math.round(ms * 1000)));
    const name = fault ?? (isRefusal(resultCode) ? (resultCodeName(resultCode) ?? 'refused') : undefined);
    if (name !== undefined) addRefused(quarter, name, 1);
  }

  noteWaiting(messages: number): void {
    this.#current().waiting = messages;
  }

  /** 96 of them, oldest first; the last one has not ended. */
  quarters(): readonly Quarter[] {
    return Array.from({ length: QUARTERS }, (_, index) => {
      const begins = this.#latest() - (QUARTERS - 1 - index) * QUARTER_MS;
      return this.#quarters.get(begins) ?? { begins, ...emptyCounts() };
    });
  }

  #latest(): number {
    return Math.floor(this.#clock() / QUARTER_MS) * QUARTER_MS;
  }

  #current(): Quarter {
    const known = this.#quarters;
    return known.getOrInsertComputed(this.#latest(), (begins) => {
      for (const old of known.keys()) if (Math.abs(begins - old) >= QUARTERS * QUARTER_MS) known.delete(old);
      return { begins, ...emptyCounts() };
    });
  }
}

/** What happened in several quarters; `waiting` is the most that waited. */
export function total(quarters: readonly Counts[]): Counts {
  const sum = emptyCounts();
  for (const { durations, refused, waiting } of quarters) {
    sum.durations.add(durations);
    for (const [name, count] of refused) addRefused(sum, name, count);
    if (waiting !== undefined) sum.waiting = Math.max(sum.waiting ?? 0, waiting);
  }
  return sum;
}

/** The duration, ms, within which 99 of 100 calls ended. Undefined without calls. */
export const p99 = ({ durations }: Counts): number | undefined =>
  durations.count === 0 ? undefined : durations.percentile(99) / 1000;

export const refusals = ({ refused }: Counts): number => [...refused.values()].reduce((sum, count) => sum + count, 0);
