const QUARTER_MS = 15 * 60_000;
const QUARTERS = 96;
/** Durations are counted in classes, four for each doubling from a tenth of a millisecond on. */
const CLASSES = 72;
const CLASSES_PER_DOUBLING = 4;
const SHORTEST_MS = 0.1;

/** What happened in some time. */
export interface Counts {
  calls: number;
  /** By the name of the ResultCode or of the fault. */
  readonly refused: Map<string, number>;
  /** How many calls took how long, by class. */
  readonly durations: number[];
  /** Text messages that waited when it was last looked at. */
  waiting: number | undefined;
}

export interface Quarter extends Counts {
  /** Instant, ms: a whole quarter of an hour. */
  readonly begins: number;
}

/** The last 24 hours of this process, in memory, by quarters of an hour. */
export interface DayHistory {
  /** A call that was answered with a record, or failed, after so many ms. */
  noteCall(ms: number): void;
  /** `name`: of the ResultCode or of the fault. */
  noteRefused(name: string): void;
  noteWaiting(messages: number): void;
  /** 96 of them, oldest first; the last one has not ended. */
  quarters(): readonly Quarter[];
}

const emptyCounts = (): Counts => ({
  calls: 0,
  refused: new Map(),
  durations: new Array<number>(CLASSES).fill(0),
  waiting: undefined,
});

/** `clock`: ms since the epoch. */
export function createDayHistory(clock: () => number): DayHistory {
  const known = new Map<number, Quarter>();
  const latest = () => Math.floor(clock() / QUARTER_MS) * QUARTER_MS;
  function current(): Quarter {
    const begins = latest();
    const quarter = known.getOrInsertComputed(begins, () => ({ begins, ...emptyCounts() }));
    for (const old of known.keys()) if (Math.abs(begins - old) >= QUARTERS * QUARTER_MS) known.delete(old);
    return quarter;
  }
  return {
    noteCall: (ms) => {
      const quarter = current();
      const doublings = Math.log2(Math.max(ms, SHORTEST_MS) / SHORTEST_MS);
      const index = Math.min(CLASSES - 1, Math.floor(doublings * CLASSES_PER_DOUBLING));
      quarter.durations[index] = (quarter.durations[index] ?? 0) + 1;
      quarter.calls++;
    },
    noteRefused: (name) => {
      const { refused } = current();
      refused.set(name, (refused.get(name) ?? 0) + 1);
    },
    noteWaiting: (messages) => {
      current().waiting = messages;
    },
    quarters: () =>
      Array.from({ length: QUARTERS }, (_, index) => {
        const begins = latest() - (QUARTERS - 1 - index) * QUARTER_MS;
        return known.get(begins) ?? { begins, ...emptyCounts() };
      }),
  };
}

/** What happened in several quarters; `waiting` is the most that waited. */
export function total(quarters: readonly Counts[]): Counts {
  const sum = emptyCounts();
  for (const { calls, refused, durations, waiting } of quarters) {
    sum.calls += calls;
    for (const [name, count] of refused) sum.refused.set(name, (sum.refused.get(name) ?? 0) + count);
    for (const [index, count] of durations.entries()) sum.durations[index] = (sum.durations[index] ?? 0) + count;
    if (waiting !== undefined) sum.waiting = Math.max(sum.waiting ?? 0, waiting);
  }
  return sum;
}

/** The duration, ms, within which 99 of 100 calls ended: the upper end of its class. Undefined without calls. */
export function p99({ calls, durations }: Counts): number | undefined {
  let left = Math.ceil(calls * 0.99);
  const index = durations.findIndex((count) => {
    left -= count;
    return left <= 0;
  });
  return calls === 0 ? undefined : SHORTEST_MS * 2 ** ((index + 1) / CLASSES_PER_DOUBLING);
}

export const refusals = ({ refused }: Counts): number => [...refused.values()].reduce((sum, count) => sum + count, 0);
