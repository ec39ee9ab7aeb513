import type { Log } from './log.ts';

const MINUTE_MS = 60_000;
/** Callers and codes counted at the same time by one budget. To count a new one, the one whose minute began first is reported early. */
const MOST_KEYS = 10_000;

type ReportEnded = (all: boolean) => Promise<unknown>;

/**
 * Limits how many events of a kind are recorded individually, so that a flood cannot fill the disk that contains the appointments. The
 * number of the others is reported once their minute is over.
 */
export class Budgets {
  readonly #log: Log;
  readonly #stopwatch: () => number;
  readonly #reports: ReportEnded[] = [];

  /** `stopwatch`: monotonic milliseconds. */
  constructor(log: Log, stopwatch: () => number) {
    this.#log = log;
    this.#stopwatch = stopwatch;
  }

  /** Allows `most` events per minute for each code; a log line says how many others there were. */
  perCode<Code extends string>(most: number, event: string): (code: Code) => boolean {
    // Each code has its own minute, so that a flood of one kind does not hide another.
    const take = this.perKey<Code>(most, (count, code) => this.#log.warn(event, { code, count }));
    return (code) => take(code, code);
  }

  /** Allows `most` events per minute for each key; `report` gets the number of others, and the detail of the first of them. */
  perKey<Detail>(
    most: number,
    report: (count: number, detail: Detail) => unknown,
  ): (key: string, detail: Detail) => boolean {
    const minuteOf = this.perMinute<{ count: number; detail?: Detail }>(({ count, detail }) =>
      count > most ? report(count - most, detail as Detail) : undefined,
    );
    return (key, detail) => {
      const minute = minuteOf(key, () => ({ count: 0 }));
      minute.count++;
      if (minute.count > most) minute.detail ??= detail;
      return minute.count <= most;
    };
  }

  /** What is counted for a key during a minute, from the first event; `report` gets it once the minute is over. */
  perMinute<Sum>(report: (sum: Sum) => unknown): (key: string, begin: () => Sum) => Sum {
    /** In the order in which they began. */
    const minutes = new Map<string, { readonly endsOn: number; readonly sum: Sum }>();
    const reportEnded: ReportEnded = (all) => {
      const reports: unknown[] = [];
      const now = this.#stopwatch();
      for (const [key, { endsOn, sum }] of minutes) {
        if (!all && now < endsOn && minutes.size < MOST_KEYS) break;
        minutes.delete(key);
        reports.push(report(sum));
      }
      return Promise.all(reports);
    };
    this.#reports.push(reportEnded);
    return (key, begin) => {
      void reportEnded(false);
      return minutes.getOrInsertComputed(key, () => ({ endsOn: this.#stopwatch() + MINUTE_MS, sum: begin() })).sum;
    };
  }

  /**
   * Reports the minutes that are over, or with `all`, every one. To be called every second, so that a number is reported even if nothing
   * more happens, and before the end, when it would otherwise be lost. Resolves once everything is written.
   */
  async reportEnded(all = false): Promise<void> {
    await Promise.all(this.#reports.map((report) => report(all)));
  }
}
