import { freeSeat, mostAtOnce, seatBeside } from '../rules/free-seat.ts';
import type { HoldingAppointment } from '../store/queries/import-queries.ts';
import type { Doctor } from '../store/queries/reference-queries.ts';
import { LAST_HOLDING_STATUS } from '../vocabulary/appointments.ts';
import { isSamePatient } from '../vocabulary/patients.ts';
import type { StoredAppointment } from '../vocabulary/stored-records.ts';
import { type Held, HeldTimes } from './held-times.ts';
import { type Place, type Problem, placeText, storedText } from './problem.ts';

/** An appointment that is about to be added to the database. */
export type DraftAppointment = { -readonly [Name in keyof StoredAppointment]: StoredAppointment[Name] };

export interface PlacedDraft {
  readonly draft: DraftAppointment;
  readonly place: Place;
  readonly doctor: Doctor;
}

/**
 * Assigns a seat to each appointment that occupies its slot, next to the existing ones of the same center. An appointment that overlaps is
 * marked and gets a seat beyond the doctor's capacity; without `allowOverlaps` it is a problem. Existing marks of the drafts only determine
 * which ones are placed last: the appointments that they overlapped may have been cancelled since, or may never have existed.
 */
export function placeAppointments(
  drafts: readonly PlacedDraft[],
  stored: readonly HoldingAppointment[],
  allowOverlaps: boolean,
): Problem[] {
  const times = new HeldTimes();
  for (const other of stored) times.add(heldOf(other, storedText(other)));
  const problems: Problem[] = [];
  const isLast = ({ draft }: PlacedDraft): boolean => draft.marked === 1;
  const inOrder = [...drafts.filter((one) => !isLast(one)), ...drafts.filter(isLast)];
  for (const { draft, place, doctor } of inOrder) {
    draft.marked = 0;
    if (draft.status > LAST_HOLDING_STATUS) continue;
    const { startsAt: from, endsAt: to } = draft;
    const held = times.ofDoctor(draft.doctorId, from, to);
    const isFull = mostAtOnce(held, from, to) >= doctor.capacity;
    const other = (isFull ? undefined : times.ofPatient(draft, from, to)) ?? (isFull ? sameOr(held, draft) : undefined);
    if (other !== undefined) {
      if (!allowOverlaps) {
        problems.push({ ...place, message: overlapText(draft, other) });
        continue;
      }
      draft.marked = 1;
    }
    draft.seat = freeSeat(held, doctor.capacity, from, to) ?? seatBeside(held, from, to);
    times.add(heldOf(draft, placeText(place)));
  }
  return problems;
}

const heldOf = (appointment: HoldingAppointment, name: string): Held => ({
  seat: appointment.seat,
  from: appointment.startsAt,
  to: appointment.endsAt,
  doctorId: appointment.doctorId,
  patient: appointment,
  name,
});

/** Of the appointments that overlap, one of the same patient, otherwise the first. */
const sameOr = (held: readonly Held[], draft: DraftAppointment): Held | undefined =>
  held.find(({ patient }) => isSamePatient(patient, draft)) ?? held[0];

function overlapText(draft: DraftAppointment, other: Held): string {
  const isSame = isSamePatient(other.patient, draft);
  const expected = 'expected no overlap, or --allow-overlaps';
  if (!isSame) return `overlaps ${other.name}, for doctor ${draft.doctorId}; ${expected}`;
  const isRepeated = other.doctorId === draft.doctorId && other.from === draft.startsAt;
  return isRepeated
    ? `repeats the booking of ${other.name}; ${expected}`
    : `overlaps ${other.name}, of the same patient; ${expected}`;
}
