import { Refusal } from '../vocabulary/result-codes.ts';
import { spellMinute, type WallMinute } from './wall-time.ts';

/** The numbers that clients see. Their texts follow HL7 FHIR AppointmentStatus where it has a word. */
export type AppointmentStatus = 1 | 2 | 3 | 4 | 5 | 6 | 7;

const APPOINTMENT_STATUSES = {
  1: 'Pending',
  2: 'Booked',
  3: 'Arrived',
  4: 'InConsultation',
  5: 'Completed',
  6: 'Cancelled',
  7: 'NoShow',
} as const satisfies Record<AppointmentStatus, string>;

export type MoveName = 'Reschedule' | 'Confirm' | 'Arrive' | 'Start' | 'Complete' | 'Cancel' | 'NoShow';

export interface Move {
  /** The number in parameter `type`. */
  readonly type: number;
  readonly name: MoveName;
  /** The status after the move. */
  readonly status: AppointmentStatus;
  readonly allowedFrom: readonly AppointmentStatus[];
  /** Whether appdate and apptime are needed; else they are ignored. */
  readonly needsStart: boolean;
}

export const MOVES: readonly Move[] = [
  { type: 1, name: 'Reschedule', status: 2, allowedFrom: [1, 2, 7], needsStart: true },
  { type: 2, name: 'Confirm', status: 2, allowedFrom: [1], needsStart: false },
  { type: 3, name: 'Arrive', status: 3, allowedFrom: [1, 2], needsStart: false },
  { type: 4, name: 'Start', status: 4, allowedFrom: [2, 3], needsStart: false },
  { type: 5, name: 'Complete', status: 5, allowedFrom: [2, 3, 4], needsStart: false },
  { type: 6, name: 'Cancel', status: 6, allowedFrom: [1, 2, 3], needsStart: false },
  { type: 7, name: 'NoShow', status: 7, allowedFrom: [1, 2], needsStart: false },
];

/** Minutes after the start from which a patient who has not come counts as a no-show. */
const NO_SHOW_AFTER_MINUTES = 15;

/** The word for a status, 1 to 7. Throws RangeError for another number: the database holds none. */
export function statusText(status: number): string {
  const text = (APPOINTMENT_STATUSES as Readonly<Record<number, string>>)[status];
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
