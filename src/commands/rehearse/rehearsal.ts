import { formatInstant } from '../../rules/time-zone.ts';
import { createObserveRequest, type ObserveRequest } from './observe-request.ts';
import type { OldAnswer, RecordedRequest } from './recorded-request.ts';
import { type RehearsalReport, reportOf } from './rehearsal-report.ts';
import type { TrialHandle } from './start-trial.ts';
import { Tally } from './tally.ts';

/** Passes each request to the trial instance and counts the results. */
export class Rehearsal {
  readonly #trial: TrialHandle;
  readonly #clock: () => number;
  readonly #tally: Tally;
  readonly #observe: ObserveRequest;
  readonly #began: number;
  readonly #open = new Set<Promise<void>>();

  /** `clock` returns milliseconds since the epoch. */
  constructor(trial: TrialHandle, clock: () => number) {
    this.#trial = trial;
    this.#clock = clock;
    this.#tally = new Tally(trial.facts.imported);
    this.#observe = createObserveRequest(trial.facts.contract);
    this.#began = clock();
  }

  /** Takes a request that the old service has received. Resolves when it is counted. Never rejects. */
  take(request: RecordedRequest, answered: Promise<OldAnswer | undefined>): Promise<void> {
    const counted = this.#count(request, answered);
    this.#open.add(counted);
    return counted.finally(() => this.#open.delete(counted));
  }

  /** There were bytes that are not HTTP. */
  takeBroken(): void {
    this.#tally.broken++;
  }

  /** Resolves when everything that was taken is counted. */
  async idle(): Promise<void> {
    await Promise.all(this.#open);
  }

  report(): RehearsalReport {
    const from = formatInstant(this.#began);
    return reportOf(this.#tally, { from, to: formatInstant(this.#clock()), moves: this.#trial.facts.moves });
  }

  async #count(request: RecordedRequest, answered: Promise<OldAnswer | undefined>): Promise<void> {
    const [old, verdict] = await Promise.all([answered, this.#trial.judge(request)]);
    this.#tally.add(this.#observe(request), old, verdict);
  }
}
