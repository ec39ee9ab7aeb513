import { inTime } from '../vocabulary/in-time.ts';

type Close = () => Promise<unknown>;

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

  /** Works every so many milliseconds until what was added last is closed. */
  every(milliseconds: number, work: () => void): void {
    const timer = setInterval(work, milliseconds).unref();
    this.withPrevious(async () => clearInterval(timer));
  }

  /**
   * Calls `failed` with what is thrown, and closes the rest nevertheless. Waits for at most `limitMs`, then leaves whatever is still open as
   * it is. Resolves with whether everything was closed.
   */
  async close(limitMs: number, failed: (error: unknown) => void): Promise<boolean> {
    return (await inTime(this.#closeAll(failed), limitMs)) ?? false;
  }

  async #closeAll(failed: (error: unknown) => void): Promise<true> {
    for (const step of this.#steps.splice(0)) await Promise.all(step.map((close) => Promise.try(close).catch(failed)));
    return true;
  }
}
