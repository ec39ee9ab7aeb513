/** What `setTimeout` and `clearTimeout` do. */
export interface Timers {
  set(callback: () => void, milliseconds: number): unknown;
  clear(timer: unknown): void;
}

/** A wait that may be cut short, also by what happens right before it begins. */
export class InterruptiblePause {
  readonly #timers: Timers;
  #interrupted = false;
  #end: (() => void) | undefined;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Resolves after that many milliseconds, or when it is interrupted. */
  async wait(milliseconds: number): Promise<void> {
    if (!this.#interrupted && milliseconds > 0) {
      await new Promise<void>((resolve) => {
        const timer = this.#timers.set(resolve, milliseconds);
        this.#end = () => {
          this.#timers.clear(timer);
          resolve();
        };
      });
      this.#end = undefined;
    }
    this.#interrupted = false;
  }

  /** Ends the wait, or the next one if there is none. */
  interrupt(): void {
    this.#interrupted = true;
    this.#end?.();
  }

  /** Resolves with the work, or after that many milliseconds. */
  async atMost(milliseconds: number, work: Promise<void> | undefined): Promise<void> {
    let timer: unknown;
    const late = new Promise<void>((resolve) => {
      timer = this.#timers.set(resolve, milliseconds);
    });
    await Promise.race([work, late]).finally(() => this.#timers.clear(timer));
  }
}
