/** A seat that is occupied. Wall minutes, half-open. */
export interface SeatSpan {
  readonly seat: number;
  readonly from: number;
  readonly to: number;
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
  return within.reduce((most, other) => Math.max(most, heldAt(Math.max(from, other.from))), 0);
}

/**
 * The seat of a new span, and those that must change theirs for it. Spans that have begun before it, or with it, keep their seats; each later
 * one keeps its own if that is free, and otherwise gets the lowest. So no more seats are needed than are occupied at the busiest moment.
 * `held` contains all that overlap the new span or one that changes.
 */
export function seatAmong<Span extends SeatSpan>(
  held: readonly Span[],
  from: number,
  to: number,
): { readonly seat: number; readonly moved: readonly Span[] } {
  const began = held.filter((other) => other.from <= from);
  const seat = seatBeside(began, from, from + 1);
  const placed: SeatSpan[] = [...began, { seat, from, to }];
  const moved: Span[] = [];
  for (const other of held.filter((later) => later.from > from).sort((a, b) => a.from - b.from)) {
    const atThen = placed.filter((one) => one.to > other.from);
    const isTaken = atThen.some((one) => one.seat === other.seat);
    const now = isTaken ? { ...other, seat: seatBeside(atThen, other.from, other.from + 1) } : other;
    placed.push(now);
    if (isTaken) moved.push(now);
  }
  return { seat, moved };
}
