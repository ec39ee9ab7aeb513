type Close = () => Promise<unknown>;

export interface Closed {
  /** false: the time limit passed before everything was closed. */
  readonly inTime: boolean;
  /** What was thrown; the rest was closed nevertheless. */
  readonly errors: readonly unknown[];
}

/** What is open, in the order of opening. It is closed in reverse order. */
export class ClosingOrder {
  readonly #steps: Close[][] = [];

  add(close: Close): void {
    this.#steps.unshift([close]);
  }

  /** Closed at the same time as what was added last. */
  withPrevious(close: Close): void {
    const [last] = this.#steps;
    if (last === undefined) this.add(close);
    else last.push(close);
  }

  /** Waits for at most `limitMs`, then leaves whatever is still open as it is. */
  async close(limitMs: number): Promise<Closed> {
    const errors: unknown[] = [];
    const { promise: late, resolve } = Promise.withResolvers<false>();
    const timer = setTimeout(resolve, limitMs, false);
    const inTime = await Promise.race([this.#closeAll(errors), late]);
    clearTimeout(timer);
    return { inTime, errors };
  }

  async #closeAll(errors: unknown[]): Promise<true> {
    for (const step of this.#steps.splice(0)) {
      const ends = await Promise.allSettled(step.map(async (close) => close()));
      for (const end of ends) if (end.status === 'rejected') errors.push(end.reason);
    }
    return true;
  }
}
