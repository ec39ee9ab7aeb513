/** A seat that is occupied. Wall minutes, half-open. */
export interface SeatSpan {
  readonly seat: number;
  readonly from: number;
  readonly to: number;
}

/** The lowest seat that is free throughout a span, or undefined if as many seats are occupied as the doctor has. */
export function freeSeat(held: readonly SeatSpan[], capacity: number, from: number, to: number): number | undefined {
  // After the capacity was lowered, seats above it may still be occupied.
  if (mostAtOnce(held, from, to) >= capacity) return undefined;
  for (let seat = 1; seat <= capacity; seat++) {
    if (!held.some((other) => other.seat === seat && other.from < to && other.to > from)) return seat;
  }
  return undefined;
}

/** The lowest seat that is free throughout a span, regardless of the doctor's capacity. */
export function seatBeside(held: readonly SeatSpan[], from: number, to: number): number {
  const taken = new Set(held.filter((other) => other.from < to && other.to > from).map(({ seat }) => seat));
  let seat = 1;
  while (taken.has(seat)) seat++;
  return seat;
}

/** How many of the seats are occupied at the busiest moment of a span. */
export function mostAtOnce(held: readonly SeatSpan[], from: number, to: number): number {
  const within = held.filter((other) => other.from < to && other.to > from);
  const heldAt = (minute: number) => within.filter((other) => other.from <= minute && other.to > minute).length;
  return Math.max(heldAt(from), ...within.filter((other) => other.from > from).map((other) => heldAt(other.from)));
}
