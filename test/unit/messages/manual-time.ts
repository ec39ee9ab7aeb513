interface SetTimer {
  readonly due: number;
  readonly callback: () => void;
}

/** A clock and timers that advance only when a test says so. */
export class ManualTime {
  now: number;
  readonly #timers = new Set<SetTimer>();
  constructor(now: number) {
    this.now = now;
  }

  readonly clock = (): number => this.now;
  /** Resolves after that many milliseconds; rejects once the signal is aborted. */
  readonly wait = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = { due: this.now + milliseconds, callback: resolve };
      const abort = () => {
        this.#timers.delete(timer);
        reject(signal?.reason);
      };
      if (signal?.aborted) abort();
      else {
        this.#timers.add(timer);
        signal?.addEventListener('abort', abort, { once: true });
      }
    });

  /** Lets everything happen that needs no time to pass: promises, and the turns of the event loop that a write takes. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 40; turn++) await new Promise(setImmediate);
  }

  /** Advances by that many milliseconds, from timer to timer. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.now + milliseconds;
    await this.settle();
    for (;;) {
      const [next] = [...this.#timers].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.now = Math.max(this.now, next.due);
      next.callback();
      await this.settle();
    }
    this.now = end;
    await this.settle();
  }

  /** Advances by that many milliseconds at once, like a machine that slept; what was due meanwhile happens at the end. */
  async sleep(milliseconds: number): Promise<void> {
    this.now += milliseconds;
    await this.pass(0);
  }

  /** The timers that are still running. */
  get pending(): number {
    return this.#timers.size;
  }
}
