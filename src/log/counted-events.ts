/** Reports what has only been counted so far: if its minute is over or, with `all`, in any case. */
type TellCounted = (all: boolean) => unknown;

/**
 * Events that budgets have counted instead of logging them. The process calls `tell` every second, so that a number is reported once its
 * minute is over even if nothing more happens, and also at shutdown, when it would otherwise be lost.
 */
export class CountedEvents {
  readonly #tellers: TellCounted[] = [];

  add(tell: TellCounted): void {
    this.#tellers.push(tell);
  }

  /** Resolves once everything has been written. */
  async tell(all: boolean): Promise<void> {
    await Promise.all(this.#tellers.map((tell) => tell(all)));
  }
}
