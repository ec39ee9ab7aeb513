import type { Move } from '../../vocabulary/appointments.ts';

/** A caller that means a new time always sends one; others may send one nevertheless. */
const NEARLY_ALL = 0.95;

/**
 * What the numbers may mean; a call with a new time is marked. Requests only show whether a number is sent with a new time, so anything that
 * is neither set nor standard must be confirmed by the authors of the callers.
 */
export function proposeTypes<Count extends { readonly type: number; readonly calls: number; readonly marked: number }>(
  counts: readonly Count[],
  moves: readonly Move[],
) {
  const numbers = counts.map((count) => {
    const now = moves.find((move) => move.type === count.type)?.name;
    const hasStart = count.marked / count.calls >= NEARLY_ALL;
    /** Undefined if there is no evidence for a move, because a wrong guess could cancel patients' appointments. */
    const proposed = hasStart ? (now ?? 'Reschedule') : now === 'Reschedule' ? undefined : now;
    return { ...count, now, proposed };
  });
  const pairs = numbers
    .toSorted((a, b) => a.type - b.type)
    .flatMap(({ type, proposed }) => (proposed === undefined ? [] : [`${type}=${proposed}`]));
  return {
    /** The most frequent first. */
    numbers: numbers.toSorted((a, b) => b.calls - a.calls || a.type - b.type),
    /** For APPOINTMENT_TYPES, without the numbers for which nothing is proposed; undefined if none are left. */
    setting: pairs.length === 0 ? undefined : pairs.join(','),
  };
}
