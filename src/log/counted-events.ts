/** Tells what was only counted so far: where a minute is over, or `all`. */
type TellCounted = (all: boolean) => unknown;

/**
 * What budgets have counted instead of writing it down. Whoever runs the service asks each second, so that a number is told once its minute is over
 * though nothing more happens, and at a stop, which would lose it.
 */
export class CountedEvents {
  readonly #tellers: TellCounted[] = [];

  add(tell: TellCounted): void {
    this.#tellers.push(tell);
  }

  /** Resolves when all is written. */
  async tell(all: boolean): Promise<void> {
    await Promise.all(this.#tellers.map((tell) => tell(all)));
  }
}
