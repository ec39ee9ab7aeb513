import { HELD_PRIORITY } from '../rules/sms-mode.ts';

/** One in this many messages is taken from the priorities that would otherwise have to wait. */
const SHARE = 10;
/** Those priorities in both orders, which alternate. */
const ORDERS: readonly (readonly number[])[] = [
  [0, HELD_PRIORITY],
  [HELD_PRIORITY, 0],
];

/** Ensures that a flood of higher-priority messages does not block the others: every tenth place is reserved for them. */
export class FairShare {
  #taken = 0;
  #round = 0;

  /** A message of the first of these priorities that has any is sent next, ahead of all others. Usually empty. */
  get favoured(): readonly number[] {
    return this.#taken < SHARE - 1 ? [] : (ORDERS[this.#round % ORDERS.length] ?? []);
  }

  /** Records that this many messages were taken while `favoured` had its current value. */
  took(count: number): void {
    if (count === 0) return;
    if (this.#taken < SHARE - 1) {
      this.#taken += count;
      return;
    }
    this.#taken = count - 1;
    this.#round++;
  }
}
