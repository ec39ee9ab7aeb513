import { HELD_PRIORITY } from '../rules/sms-text.ts';

/** Of so many messages, one is of those that others would keep waiting. */
const SHARE = 10;
/** Priorities of those, each way round in its turn. */
const ORDERS: readonly (readonly number[])[] = [
  [0, HELD_PRIORITY],
  [HELD_PRIORITY, 0],
];

/** Sees to it that no flood of messages of a higher priority stops the others: every tenth place is theirs. */
export class FairShare {
  #taken = 0;
  #round = 0;

  /** A message of the first of these priorities that has one goes next, before all others; mostly there is none. */
  get favoured(): readonly number[] {
    return this.#taken < SHARE - 1 ? [] : (ORDERS[this.#round % ORDERS.length] ?? []);
  }

  /** So many messages were taken, while `favoured` was what it is. */
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
