import type { CountedEvents } from '../log/counted-events.ts';

/** A refusal in the form that the budget counts. */
export interface CountedRefusal {
  /** Whom it is counted for: the client's name, or the network of an unidentified caller. */
  readonly caller: string;
  readonly client: string;
  readonly correlationId: string;
}

export interface RefusalBudgetDependencies {
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Told once for each caller and minute with more refusals than its budget: the first of the others, and how many they were. */
  readonly tellRest: (first: CountedRefusal, count: number) => Promise<unknown>;
  readonly counted: CountedEvents;
}

/** Refusals per caller and minute that are recorded one by one; more than any legitimate client gets. */
const MOST_A_MINUTE = 600;
const MINUTE = 60_000;
/** Maximum number of callers counted; the one whose minute began first is dropped for a new one. */
const MOST_COUNTED = 10_000;

interface Minute {
  readonly began: number;
  count: number;
  /** The first that was not recorded. */
  rest: CountedRefusal | undefined;
}

/**
 * Keeps refusals by the hospital's rules from filling the audit and the log: each caller has 600 a minute that are written down, and the others are
 * told by their number once that minute is over.
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

  /** Whether one more refusal is recorded. */
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

  /** Resolves when all is told. */
  #endMinutes(now: number, all: boolean): Promise<unknown> {
    const told: Promise<unknown>[] = [];
    for (const [caller, { began, count, rest }] of this.#minutes) {
      if (!all && now - began < MINUTE && this.#minutes.size < MOST_COUNTED) break;
      this.#minutes.delete(caller);
      if (rest !== undefined) told.push(this.#tellRest(rest, count - MOST_A_MINUTE));
    }
    return Promise.all(told);
  }
}
