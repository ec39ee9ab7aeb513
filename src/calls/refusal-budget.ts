import type { CountedEvents } from '../log/counted-events.ts';

/** A refusal, as the budget counts it. */
export interface CountedRefusal {
  /** The caller whose budget it counts against: the client's name, or the network of an unidentified caller. */
  readonly caller: string;
  readonly client: string;
  readonly correlationId: string;
}

export interface RefusalBudgetDependencies {
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /**
   * Called once for each caller and minute with more refusals than the budget allows, with the first of the excess refusals and their
   * number.
   */
  readonly tellRest: (first: CountedRefusal, count: number) => Promise<unknown>;
  readonly counted: CountedEvents;
}

/** Refusals per caller and minute that are recorded individually. No legitimate client gets this many. */
const MOST_A_MINUTE = 600;
const MINUTE = 60_000;
/** Maximum number of callers counted. To count a new one, the caller whose minute began first is dropped. */
const MOST_COUNTED = 10_000;

interface Minute {
  readonly began: number;
  count: number;
  /** The first one that was not recorded. */
  rest: CountedRefusal | undefined;
}

/**
 * Keeps refusals by the hospital's rules from filling the audit trail and the log: 600 per caller and minute are recorded individually.
 * When the minute is over, only the number of the others is reported.
 */
export class RefusalBudget {
  readonly #clock: () => number;
  readonly #tellRest: RefusalBudgetDependencies['tellRest'];
  /** By caller, in the order in which the minutes began. */
  readonly #minutes = new Map<string, Minute>();

  constructor({ clock, tellRest, counted }: RefusalBudgetDependencies) {
    this.#clock = clock;
    this.#tellRest = tellRest;
    counted.add((all) => this.#endMinutes(clock(), all));
  }

  /** Whether this refusal is recorded individually. */
  take(refusal: CountedRefusal): boolean {
    const now = this.#clock();
    void this.#endMinutes(now, false);
    let minute = this.#minutes.get(refusal.caller);
    if (minute === undefined) {
      minute = { began: now, count: 0, rest: undefined };
      this.#minutes.set(refusal.caller, minute);
    }
    minute.count++;
    if (minute.count <= MOST_A_MINUTE) return true;
    minute.rest ??= refusal;
    return false;
  }

  /** Resolves when everything has been reported. */
  #endMinutes(now: number, all: boolean): Promise<unknown> {
    const told: Promise<unknown>[] = [];
    for (const [caller, { began, count, rest }] of this.#minutes) {
      // A clock that was set back must not stretch the minute to hours.
      const isRunning = now >= began && now - began < MINUTE;
      if (!all && isRunning && this.#minutes.size < MOST_COUNTED) break;
      this.#minutes.delete(caller);
      if (rest !== undefined) told.push(this.#tellRest(rest, count - MOST_A_MINUTE));
    }
    return Promise.all(told);
  }
}
