import { AppointmentStatus, MOVES, type Move } from '../vocabulary/appointment-status.ts';
import { Refusal } from '../vocabulary/result-codes.ts';
import { spellMinute, type WallMinute } from './wall-minute.ts';

/** Minutes after the start from which a patient who has not come counts as a no-show. */
const NO_SHOW_AFTER_MINUTES = 15;

const STATUS_TEXTS: ReadonlyMap<number, string> = new Map(
  Object.entries(AppointmentStatus).map(([name, status]) => [status, name]),
);

/** The word for a status, 1 to 7. Throws RangeError for another number: the database holds none. */
export function statusText(status: number): string {
  const text = STATUS_TEXTS.get(status);
  if (text === undefined) throw new RangeError(`There is no appointment status ${status}.`);
  return text;
}

/** The move that a value of parameter `type` asks for, of those that the hospital has numbers for. Throws Refusal UnknownType. */
export function moveOfType(type: number, moves: readonly Move[] = MOVES): Move {
  const move = moves.find((candidate) => candidate.type === type);
  if (move === undefined) {
    const known = moves.map((candidate) => `${candidate.type} ${candidate.name}`).join(', ');
    throw new Refusal('UnknownType', `Parameter type: ${type} is not known; expected one of ${known}.`, 'type');
  }
  return move;
}

/**
 * The status after a move. Repeating the status that the appointment has changes nothing and succeeds; Reschedule changes the start,
 * so it always changes here. Throws Refusal MoveNotAllowed.
 */
export function nextStatus(
  current: number,
  move: Move,
  { now, startsAt }: { readonly now: WallMinute; readonly startsAt: WallMinute },
): { readonly changed: boolean; readonly status: AppointmentStatus } {
  if (move.name !== 'Reschedule' && move.status === current) return { changed: false, status: move.status };
  if (!move.allowedFrom.some((status) => status === current)) {
    const allowed = listOf(move.allowedFrom.map((status) => `${status} ${statusText(status)}`));
    throw new Refusal(
      'MoveNotAllowed',
      `Parameter type: ${move.name} is allowed only from status ${allowed}; the appointment has status ${current} ${statusText(current)}.`,
      'type',
    );
  }
  const earliest = startsAt + NO_SHOW_AFTER_MINUTES;
  if (move.name === 'NoShow' && now < earliest) {
    throw new Refusal(
      'MoveNotAllowed',
      `Parameter type: NoShow is allowed only from ${NO_SHOW_AFTER_MINUTES} minutes after the start, that is from ${spellMinute(earliest)}.`,
      'type',
    );
  }
  return { changed: true, status: move.status };
}

function listOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
