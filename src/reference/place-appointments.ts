import { mostAtOnce, type SeatSpan, seatBeside } from '../appointments/free-seat.ts';
import { isSamePatient, type PatientIdentity } from '../appointments/same-patient.ts';
import type { DayToken, HoldingAppointment } from '../store/queries/import-queries.ts';
import { LAST_HOLDING_STATUS } from '../vocabulary/appointments.ts';
import type { StoredAppointment } from '../vocabulary/stored-records.ts';
import { formatWallDay } from '../vocabulary/wall-minute.ts';
import { type Place, type Problem, placeText } from './problem.ts';

/** An appointment that is about to be added to the database. Its token is 0 until it has one. */
export type DraftAppointment = { -readonly [Name in keyof StoredAppointment]: StoredAppointment[Name] };

export interface PlacedDraft {
  readonly draft: DraftAppointment;
  readonly place: Place;
  /** Of the doctor: patients per slot. */
  readonly capacity: number;
}

/** An appointment that occupies its slot. `where` is for the message that rejects another one. */
type Held = HoldingAppointment & SeatSpan & { readonly where: string };

/** The times that the doctors and patients of one center occupy, as far as appointments that are yet to be placed may overlap them. */
export class HeldTimes {
  readonly all: Held[] = [];
  readonly #byKey = new Map<string, Held[]>();

  add(appointment: HoldingAppointment, where: string): void {
    const held = { ...appointment, from: appointment.startsAt, to: appointment.endsAt, where };
    this.all.push(held);
    for (const key of [doctorKey(held.doctorId), patientKey(held)]) {
      this.#byKey.getOrInsertComputed(key, () => []).push(held);
    }
  }

  /** Those that end after a wall minute. */
  after(minute: number): HeldTimes {
    const later = new HeldTimes();
    for (const held of this.all) if (held.to > minute) later.add(held, held.where);
    return later;
  }

  /** The doctor's appointments that overlap a span. */
  ofDoctor(doctorId: number, from: number, to: number): readonly Held[] {
    return this.#overlapping(doctorKey(doctorId), from, to);
  }

  /** An appointment of the patient that overlaps a span. */
  ofPatient(patient: PatientIdentity, from: number, to: number): Held | undefined {
    return this.#overlapping(patientKey(patient), from, to).find((held) => isSamePatient(held, patient));
  }

  #overlapping(key: string, from: number, to: number): readonly Held[] {
    return (this.#byKey.get(key) ?? []).filter((one) => one.from < to && one.to > from);
  }
}

const doctorKey = (id: number): string => `doctor ${id}`;
const patientKey = ({ nameKey }: PatientIdentity): string => `patient ${nameKey}`;

/**
 * Assigns a seat to each appointment that occupies its slot, and adds it to the times. An appointment that overlaps is marked and gets a
 * seat beyond the doctor's capacity; without `allowOverlaps` it is a problem. Existing marks of the drafts only determine which ones are
 * placed last: the appointments that they overlapped may have been cancelled since, or may never have existed.
 */
export function placeAppointments(
  drafts: readonly PlacedDraft[],
  times: HeldTimes,
  allowOverlaps = false,
): readonly Problem[] {
  const problems: Problem[] = [];
  for (const { draft, place, capacity } of drafts.toSorted((a, b) => a.draft.overlapping - b.draft.overlapping)) {
    draft.overlapping = 0;
    if (draft.status > LAST_HOLDING_STATUS) continue;
    const { startsAt: from, endsAt: to } = draft;
    const held = times.ofDoctor(draft.doctorId, from, to);
    const isFull = mostAtOnce(held, from, to) >= capacity;
    const other = isFull
      ? (held.find((one) => isSamePatient(one, draft)) ?? held[0])
      : times.ofPatient(draft, from, to);
    if (other !== undefined) {
      if (!allowOverlaps) {
        problems.push({ ...place, message: overlapText(draft, other) });
        continue;
      }
      draft.overlapping = 1;
    }
    draft.seat = seatBeside(held, from, to);
    times.add(draft, placeText(place));
  }
  return problems;
}

function overlapText(draft: DraftAppointment, other: Held): string {
  const expected = 'expected no overlap, or --allow-overlaps';
  if (!isSamePatient(other, draft)) return `overlaps ${other.where}, for doctor ${draft.doctorId}; ${expected}`;
  const isRepeated = other.doctorId === draft.doctorId && other.from === draft.startsAt;
  return isRepeated
    ? `repeats the booking of ${other.where}; ${expected}`
    : `overlaps ${other.where}, of the same patient; ${expected}`;
}

const dayKey = (doctorId: number, minute: number): string => `${doctorId}/${formatWallDay(minute)}`;

/**
 * Assigns a token to each appointment of whole days of one center that has none, in order of start, above all tokens already used on that
 * doctor's day. Returns the last token of each of these days.
 */
export function giveTokens(drafts: readonly DraftAppointment[], stored: readonly DayToken[]): readonly DayToken[] {
  const last = new Map(stored.map(({ doctorId, day, lastToken }) => [`${doctorId}/${day}`, lastToken]));
  const days = Map.groupBy(drafts, ({ doctorId, startsAt }) => dayKey(doctorId, startsAt));
  return [...days].flatMap(([key, ofDay]) => {
    const [first] = ofDay;
    if (first === undefined) return [];
    let token = last.get(key) ?? 0;
    for (const { tokenNo } of ofDay) token = Math.max(token, tokenNo);
    const without = ofDay.filter(({ tokenNo }) => tokenNo === 0);
    for (const draft of without.sort((a, b) => a.startsAt - b.startsAt)) draft.tokenNo = ++token;
    return [
      { centerId: first.centerId, doctorId: first.doctorId, day: formatWallDay(first.startsAt), lastToken: token },
    ];
  });
}
