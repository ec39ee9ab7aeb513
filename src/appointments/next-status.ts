import type { Center, Doctor } from '../store/queries/reference-rows.ts';
import { AppointmentStatus, holdsSessions, lengthOf, MOVES, type Move } from '../vocabulary/appointments.ts';
import { Refusal } from '../vocabulary/result-codes.ts';
import type { StoredAppointment } from '../vocabulary/stored-records.ts';
import { lastInstantOf, MS_A_MINUTE, wallMinuteAt } from '../vocabulary/time-zone.ts';
import { dayOf, spellDay, spellMinute } from '../vocabulary/wall-minute.ts';

/** How many minutes after the start a patient who has not come may be recorded as a no-show. */
const NO_SHOW_AFTER_MINUTES = 15;

const STATUS_WORDS = new Map(Object.entries(AppointmentStatus).map(([name, status]) => [status as number, name]));

/** The word for a status, 1 to 7. Throws RangeError for any other number; the database contains none. */
export function statusText(status: number): string {
  const word = STATUS_WORDS.get(status);
  if (word === undefined) throw new RangeError(`There is no appointment status ${status}.`);
  return word;
}

/**
 * The move that a value of parameter `type` requests, out of those to which the hospital has assigned numbers. Throws Refusal UnknownType.
 */
export function moveOfType(type: number, moves: readonly Move[] = MOVES): Move {
  const move = moves.find((candidate) => candidate.type === type);
  if (move === undefined) {
    const known = moves.map((candidate) => `${candidate.type} ${candidate.name}`).join(', ');
    throw new Refusal('UnknownType', `${type} is not recognized; expected one of ${known}.`, 'type');
  }
  return move;
}

type Moved = Pick<StoredAppointment, 'status' | 'startsAt' | 'endsAt' | 'minutes'>;

/** When a move is requested, and of whose appointment. */
interface MoveRequest {
  /** Instant, ms. */
  readonly now: number;
  readonly center: Pick<Center, 'timeZone'>;
  readonly doctor: Pick<Doctor, 'slotMinutes' | 'capacity'>;
}

/**
 * The status after a move. Repeating the current status changes nothing and succeeds. Reschedule changes the start, so it is always a
 * change; an appointment that waits for confirmation continues to wait. Throws Refusal MoveNotAllowed.
 */
export function nextStatus(
  appointment: Moved,
  move: Move,
  request: MoveRequest,
): { readonly changed: boolean; readonly status: AppointmentStatus } {
  const { status: current } = appointment;
  if (move.name !== 'Reschedule' && move.status === current) return { changed: false, status: move.status };
  if (!move.allowedFrom.some((status) => status === current)) {
    const allowed = ALTERNATIVES.format(move.allowedFrom.map((status) => `${status} ${statusText(status)}`));
    throw notAllowed(
      `${move.name} is allowed only from status ${allowed}; the appointment has status ${current} ${statusText(current)}.`,
    );
  }
  const takesBack = move.name === 'Confirm' && current !== AppointmentStatus.Pending;
  if (move.onItsDay || takesBack) requireItsDay(move, appointment, request);
  if (takesBack) requireNotLater(appointment, request);
  if (move.name === 'NoShow') requireLate(appointment, request);
  const stays = move.name === 'Reschedule' && current === AppointmentStatus.Pending;
  return { changed: true, status: stays ? AppointmentStatus.Pending : move.status };
}

/** Otherwise, one wrong `type` would end an appointment that is months ahead, and free its slot for another patient. */
function requireItsDay({ name }: Move, { startsAt }: Moved, { now, center }: MoveRequest): void {
  if (dayOf(wallMinuteAt(now, center.timeZone)) >= dayOf(startsAt)) return;
  throw notAllowed(`${name} is not allowed before ${spellDay(startsAt)}, the day of the appointment.`);
}

/** What was recorded by mistake is taken back on the same day; later, the list of the day has been used. */
function requireNotLater({ startsAt }: Moved, { now, center }: MoveRequest): void {
  if (dayOf(wallMinuteAt(now, center.timeZone)) <= dayOf(startsAt)) return;
  throw notAllowed(`Confirm takes a visit back only on ${spellDay(startsAt)}, the day of the appointment.`);
}

/** In elapsed minutes, also across a clock change. Who has a token for a session may come until it ends. */
function requireLate(appointment: Moved, { now, center: { timeZone }, doctor }: MoveRequest): void {
  const minutes = holdsSessions(doctor) ? lengthOf(appointment) : NO_SHOW_AFTER_MINUTES;
  const earliest = (lastInstantOf(appointment.startsAt, timeZone) ?? 0) + minutes * MS_A_MINUTE;
  if (now >= earliest) return;
  throw notAllowed(
    `NoShow is not allowed before ${spellMinute(wallMinuteAt(earliest, timeZone))}, ${minutes} minutes after the start.`,
  );
}

const notAllowed = (problem: string): Refusal => new Refusal('MoveNotAllowed', problem, 'type');

/** In English, whatever the locale of the machine: `1, 2 or 3`. */
const ALTERNATIVES = new Intl.ListFormat('en-GB', { type: 'disjunction' });
