import { MOVES, type Move } from '../../vocabulary/appointments.ts';

/** A caller that means a new time always sends one; others may send one nevertheless. */
const NEARLY_ALL = 0.95;

/**
 * What the numbers may mean. Requests only show whether a number is sent with a new time, so anything that is neither set nor standard must
 * be confirmed by the authors of the callers.
 */
export function proposeTypes(
  counts: readonly { readonly type: number; readonly hasStart: boolean; readonly calls: number }[],
  moves: readonly Move[],
) {
  const types = [...Map.groupBy(counts, ({ type }) => type)].map(([type, entries]) => {
    const calls = sum(entries);
    const withStart = sum(entries.filter(({ hasStart }) => hasStart));
    const now = moves.find((move) => move.type === type)?.name;
    const hasStart = withStart / calls >= NEARLY_ALL;
    /** Undefined if there is no evidence for a move, because a wrong guess could cancel patients' appointments. */
    const proposed = hasStart ? (now ?? 'Reschedule') : now === 'Reschedule' ? undefined : now;
    return { type, calls, withStart, now, proposed, reason: reasonOf(type, now, hasStart) };
  });
  const pairs = types
    .toSorted((a, b) => a.type - b.type)
    .flatMap(({ type, proposed }) => (proposed === undefined ? [] : [`${type}=${proposed}`]));
  return {
    /** The most frequent first. */
    numbers: types.toSorted((a, b) => b.calls - a.calls || a.type - b.type),
    /** For APPOINTMENT_TYPES, without the numbers for which nothing is proposed; undefined if none are left. */
    setting: pairs.length === 0 ? undefined : pairs.join(','),
  };
}

/** The reason for a proposal, and what still needs to be asked. */
function reasonOf(type: number, now: Move['name'] | undefined, hasStart: boolean): string {
  if (now === 'Reschedule' && !hasStart) {
    return 'comes without a day and a time, so it is not a Reschedule: ask whoever maintains the caller';
  }
  if (MOVES.some((move) => move.type === type && move.name === now)) {
    return 'the standard meaning: confirm it with whoever maintains the caller';
  }
  if (now !== undefined) return 'as it is set now';
  return hasStart
    ? 'comes with a day and a time: confirm it with whoever maintains the caller'
    : 'comes without a day and a time: ask whoever maintains the caller';
}

const sum = (entries: readonly { readonly calls: number }[]): number =>
  entries.reduce((total, { calls }) => total + calls, 0);
