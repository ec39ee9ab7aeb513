/** Reports what was only counted so far: if its minute is over, or in any case if `all`. */
type TellCounted = (all: boolean) => unknown;

/**
 * Events that budgets have counted instead of logging them. The code that runs the service asks every second, so that a number is reported
 * once its minute is over even if nothing more happens, and at a stop, which would lose it.
 */
export class CountedEvents {
  readonly #tellers: TellCounted[] = [];

  add(tell: TellCounted): void {
    this.#tellers.push(tell);
  }

  /** Resolves once everything is written. */
  async tell(all: boolean): Promise<void> {
    await Promise.all(this.#tellers.map((tell) => tell(all)));
  }
}
