import type { StoredAppointment } from '../vocabulary/stored-records.ts';

/** A seat that is occupied. */
export type SeatSpan = Pick<StoredAppointment, 'seat' | 'startsAt' | 'endsAt'>;

/** Those that overlap a span: wall minutes, half-open. */
export const during = <Span extends SeatSpan>(held: readonly Span[], from: number, to: number): Span[] =>
  held.filter((other) => other.startsAt < to && other.endsAt > from);

/** The lowest seat that is free throughout a span, regardless of the doctor's capacity. */
export function seatBeside(held: readonly SeatSpan[], from: number, to: number): number {
  const taken = new Set(during(held, from, to).map(({ seat }) => seat));
  let seat = 1;
  while (taken.has(seat)) seat++;
  return seat;
}

/** Whether as many seats as the doctor has are occupied at the busiest moment of a span. */
export function isFull(held: readonly SeatSpan[], capacity: number, from: number, to: number): boolean {
  const within = during(held, from, to);
  const heldAt = (minute: number) => within.filter((one) => one.startsAt <= minute && one.endsAt > minute).length;
  return within.some(({ startsAt }) => heldAt(Math.max(from, startsAt)) >= capacity);
}

/**
 * The seat of a new span, and those that must change theirs for it. Spans that have begun before it, or with it, keep their seats; each later
 * one keeps its own if that is free, and otherwise gets the lowest. So no more seats are needed than are occupied at the busiest moment.
 * `held` contains all that overlap the new span or one that changes.
 */
export function seatAmong<Span extends SeatSpan>(
  held: readonly Span[],
  startsAt: number,
  endsAt: number,
): { readonly seat: number; readonly moved: readonly Span[] } {
  const began = held.filter((other) => other.startsAt <= startsAt);
  const seat = seatBeside(began, startsAt, startsAt + 1);
  const placed: SeatSpan[] = [...began, { seat, startsAt, endsAt }];
  const moved: Span[] = [];
  for (const other of held.filter((later) => later.startsAt > startsAt).sort((a, b) => a.startsAt - b.startsAt)) {
    const atThen = placed.filter((one) => one.endsAt > other.startsAt);
    const isTaken = atThen.some((one) => one.seat === other.seat);
    const now = isTaken ? { ...other, seat: seatBeside(atThen, other.startsAt, other.startsAt + 1) } : other;
    placed.push(now);
    if (isTaken) moved.push(now);
  }
  return { seat, moved };
}
