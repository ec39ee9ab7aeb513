/**
 * After this many milliseconds, no more rows appear with an earlier time. Transactions end later than the time in their rows, those of
 * several processes end in a different order, and the clocks of machines differ.
 */
export const SETTLED = 5 * 60_000;
