import { ServiceError } from '../../vocabulary/errors.ts';

/**
 * Runs units of work of one process one after another if they would wait for each other in the database: there, each waiting one would
 * occupy a connection that others need. First come, first served.
 */
export class WorkQueue {
  readonly #limit: number;
  /** Per key: the end of the last unit of work that names it. */
  readonly #last = new Map<string, Promise<void>>();
  /** The ends of all units of work that are running or waiting. */
  readonly #ends = new Set<Promise<void>>();
  /** The end of the last unit of work that names no keys. */
  #lastAlone: Promise<void> | undefined;

  /** `limit` is how long a unit of work waits before it throws ServiceError `Unavailable`, in milliseconds. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Runs `work` after all earlier units of work that share a key. Without keys it runs alone. */
  async run<T>(keys: readonly string[] | undefined, work: () => Promise<T>): Promise<T> {
    const before =
      keys === undefined
        ? [...this.#ends]
        : [this.#lastAlone, ...keys.map((key) => this.#last.get(key))].filter((end) => end !== undefined);
    const turn = before.length === 0 ? undefined : Promise.all(before);
    const { promise: end, resolve: finish } = Promise.withResolvers<void>();
    this.#ends.add(end);
    if (keys === undefined) this.#lastAlone = end;
    for (const key of keys ?? []) this.#last.set(key, end);
    try {
      if (turn !== undefined) await this.#waitFor(turn);
      return await work();
    } finally {
      const leave = () => {
        finish();
        this.#ends.delete(end);
        if (this.#lastAlone === end) this.#lastAlone = undefined;
        for (const key of keys ?? []) if (this.#last.get(key) === end) this.#last.delete(key);
      };
      // A unit of work that gave up still separates those before it from those after it.
      if (turn === undefined) leave();
      else turn.then(leave);
    }
  }

  async #waitFor(turn: Promise<unknown>): Promise<void> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new ServiceError('Unavailable')), this.#limit);
    try {
      await Promise.race([turn, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
