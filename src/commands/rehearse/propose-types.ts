import { MOVES, type Move } from '../../vocabulary/appointments.ts';
import type { TypeKey } from './tally.ts';

/** A number that callers send for parameter `type`. */
interface TypeSeen {
  readonly type: number;
  readonly calls: number;
  /** Calls that contain a date and a time, as a reschedule must. */
  readonly withStart: number;
  /** What the number means with the settings of the rehearsal. */
  readonly now: Move['name'] | undefined;
  /** Undefined if there is no evidence for a move, because a wrong guess could cancel patients' appointments. */
  readonly proposed: Move['name'] | undefined;
  /** The reason, and what still needs to be asked. */
  readonly reason: string;
}

export interface TypeProposal {
  /** The most frequent first. */
  readonly seen: readonly TypeSeen[];
  /** For APPOINTMENT_TYPES, without the numbers for which nothing is proposed; undefined if none are left. */
  readonly setting: string | undefined;
}

/** A caller that means a new time always sends one; others may send one nevertheless. */
const NEARLY_ALL = 0.95;

/**
 * What the numbers may mean. Requests only show whether a number is sent with a new time, so anything that is neither set nor standard must
 * be confirmed by the authors of the callers.
 */
export function proposeTypes(
  counts: readonly { readonly key: TypeKey; readonly count: number }[],
  moves: readonly Move[],
): TypeProposal {
  const byType = Map.groupBy(counts, ({ key }) => key.type);
  const seen = [...byType].map(([type, entries]) => {
    const calls = sum(entries);
    const withStart = sum(entries.filter(({ key }) => key.hasStart));
    return { type, calls, withStart, ...meaningOf(type, withStart / calls, moves) };
  });
  seen.sort((a, b) => b.calls - a.calls || a.type - b.type);
  const pairs = seen
    .toSorted((a, b) => a.type - b.type)
    .flatMap(({ type, proposed }) => (proposed === undefined ? [] : [`${type}=${proposed}`]));
  return { seen, setting: pairs.length === 0 ? undefined : pairs.join(',') };
}

function meaningOf(
  type: number,
  shareWithStart: number,
  moves: readonly Move[],
): Pick<TypeSeen, 'now' | 'proposed' | 'reason'> {
  const now = moves.find((move) => move.type === type)?.name;
  const hasStart = shareWithStart >= NEARLY_ALL;
  if (now === 'Reschedule' && !hasStart) {
    return {
      now,
      proposed: undefined,
      reason: 'comes without a day and a time, so it is not a Reschedule: ask whoever maintains the caller',
    };
  }
  if (now !== undefined) {
    const isStandard = MOVES.some((move) => move.type === type && move.name === now);
    const reason = isStandard
      ? 'the standard meaning: confirm it with whoever maintains the caller'
      : 'as it is set now';
    return { now, proposed: now, reason };
  }
  if (hasStart) {
    return {
      now,
      proposed: 'Reschedule',
      reason: 'comes with a day and a time: confirm it with whoever maintains the caller',
    };
  }
  return { now, proposed: undefined, reason: 'comes without a day and a time: ask whoever maintains the caller' };
}

const sum = (entries: readonly { readonly count: number }[]): number =>
  entries.reduce((total, { count }) => total + count, 0);
