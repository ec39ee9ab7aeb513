import type { SendFate } from './gateways/gateway.ts';

/** Whoever refuses messages to as many numbers in a row for the same reason would refuse the next one, too. */
const SEVERAL = 3;

/** Tells refusals that concern a message from those that concern the account or the settings, which must not cost each message its chance. */
export class Refusals {
  #code: string | undefined;
  readonly #numbers = new Set<string>();

  /** The fate of a message to a number, given those before it. */
  judged(fate: SendFate, mobile: string): SendFate {
    if (fate.kind !== 'submitted' && fate.kind !== 'refused') return fate;
    if (fate.kind === 'submitted' || fate.code !== this.#code) this.#numbers.clear();
    if (fate.kind === 'submitted') return fate;
    this.#code = fate.code;
    if (this.#numbers.size < SEVERAL) this.#numbers.add(mobile);
    return this.#numbers.size < SEVERAL ? fate : { kind: 'account', code: fate.code };
  }
}
