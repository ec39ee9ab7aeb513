/** A seat that somebody holds. Wall minutes, half-open. */
export interface SeatSpan {
  readonly seat: number;
  readonly from: number;
  readonly to: number;
}

/** The lowest seat that nobody holds at any time of a span, or undefined if as many are held as the doctor takes. */
export function freeSeat(held: readonly SeatSpan[], capacity: number, from: number, to: number): number | undefined {
  // After the capacity was lowered, seats above it may still be held.
  if (mostAtOnce(held, from, to) >= capacity) return undefined;
  for (let seat = 1; seat <= capacity; seat++) {
    if (!held.some((other) => other.seat === seat && other.from < to && other.to > from)) return seat;
  }
  return undefined;
}

/** The lowest seat that nobody holds at any time of a span, however many the doctor takes. */
export function seatBeside(held: readonly SeatSpan[], from: number, to: number): number {
  const taken = new Set(held.filter((other) => other.from < to && other.to > from).map(({ seat }) => seat));
  let seat = 1;
  while (taken.has(seat)) seat++;
  return seat;
}

/** How many of the seats are held at the busiest moment of a span. */
export function mostAtOnce(held: readonly SeatSpan[], from: number, to: number): number {
  const within = held.filter((other) => other.from < to && other.to > from);
  const heldAt = (minute: number) => within.filter((other) => other.from <= minute && other.to > minute).length;
  return Math.max(heldAt(from), ...within.filter((other) => other.from > from).map((other) => heldAt(other.from)));
}
