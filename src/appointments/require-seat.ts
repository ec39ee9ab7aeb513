import type { ReferenceData } from '../store/queries/reference-data.ts';
import type { Center, Doctor } from '../store/queries/reference-rows.ts';
import type { Queries } from '../store/store.ts';
import { holdsSessions, MINUTES_PER_DAY } from '../vocabulary/appointments.ts';
import { Refusal } from '../vocabulary/result-codes.ts';
import type { StoredAppointment } from '../vocabulary/stored-records.ts';
import { dayOf, formatWallMinute } from '../vocabulary/wall-minute.ts';
import { isFull, seatAmong, seatBeside } from './free-seat.ts';
import { isSamePatient, type PatientIdentity } from './same-patient.ts';
import { WantedSlot } from './wanted-slot.ts';

/** The appointment that is being moved, if any. */
type Moving = Pick<StoredAppointment, 'id'> | undefined;

/** What decides about a doctor's slots. */
interface SlotScope {
  readonly reference: ReferenceData;
  readonly center: Center;
  readonly doctor: Doctor;
  /** Instant, ms. */
  readonly now: number;
}

/** The slot of a doctor that begins at a wall minute of the center; `length`: minutes, if it is not as long as the doctor's slots. */
export function slotAt({ reference, center, doctor, now }: SlotScope, start: number, length?: number): WantedSlot {
  const { slotMinutes, id: doctorId } = doctor;
  const { timeZone: zone } = center;
  const openings = reference.openingHours(center.id, doctorId);
  const leaves = reference.leaves(center.id, doctorId, midnightBefore(start));
  return new WantedSlot({ doctorId, slotMinutes, openings, leaves, zone, now }, start, length);
}

/** Who wants which time of whom. */
interface SeatWanted {
  readonly reference: Pick<ReferenceData, 'doctor'>;
  readonly center: Pick<Center, 'id'>;
  readonly doctor: Doctor;
  readonly patient: PatientIdentity;
  readonly slot: Pick<WantedSlot, 'start' | 'end' | 'minutes'>;
  readonly moving?: Moving;
}

/** A call for a seat. */
export interface SeatRequest extends SeatWanted {
  readonly slot: WantedSlot;
  /** The beginning of a sentence about it, such as `Parameters app_date and app_time: `. */
  readonly subject: string;
  /** Whether the caller may have a full slot. */
  readonly mayOverbook: boolean;
  /** Whether the slot counts as full, however many places are free. */
  readonly isClosed?: boolean;
}

/** A free place in the doctor's day. */
type FreeSeat = Pick<StoredAppointment, 'startsAt' | 'endsAt' | 'minutes' | 'seat' | 'overlapping'>;

/** Finds the appointments during a span, and gives them other seats: in the database, or in what an import has read of it. */
export interface SeatQueries {
  readonly appointments: Pick<Queries['appointments'], 'standing' | 'standingOfName' | 'reseat'>;
}

/** The other appointments during a slot. */
interface Standing {
  readonly ofDoctor: readonly StoredAppointment[];
  /** Of everybody with the patient's name, with any doctor of the center. */
  readonly ofName: readonly StoredAppointment[];
}

/** Both are requested together, so that a database on the network answers them in one round trip. */
export async function standingThen({ appointments }: SeatQueries, request: SeatWanted): Promise<Standing> {
  const { center, doctor, patient, slot, moving } = request;
  const span = { centerId: center.id, from: slot.start, to: slot.end, exceptId: moving?.id };
  const [ofDoctor, ofName] = await Promise.all([
    appointments.standing({ ...span, doctorId: doctor.id }),
    appointments.standingOfName({ ...span, nameKey: patient.nameKey }),
  ]);
  return { ofDoctor, ofName };
}

/** What stands in the way of an appointment: that the doctor has no place at that time, or another one of the patient. */
export const inTheWay = ({ ofDoctor, ofName }: Standing, { reference, center, doctor, patient, slot }: SeatWanted) => ({
  isTaken: isFull(ofDoctor, doctor.capacity, slot.start, slot.end),
  ofPatient: ofName.find(
    (other) =>
      isSamePatient(other, patient) && !allowEachOther(reference, other, { centerId: center.id, doctorId: doctor.id }),
  ),
});

type OfDoctor = Pick<StoredAppointment, 'centerId' | 'doctorId'>;

/** Whether a patient may have both at one time: a token for a session says when to come, not for how long. */
export const allowEachOther = (reference: Pick<ReferenceData, 'doctor'>, one: OfDoctor, other: OfDoctor): boolean =>
  one.doctorId !== other.doctorId &&
  [one, other].some(({ centerId, doctorId }) => holdsSessions(reference.doctor(centerId, doctorId)));

/**
 * A free seat at that start, or the refusal that applies: PastTime, BeyondHorizon, DoctorNotAvailable, SlotTaken, PatientOverlap. A refusal
 * because of the slot proposes the nearest free slots. `standing` is passed if the caller has already read it.
 */
export async function requireFreeStart(queries: Queries, request: SeatRequest, standing?: Standing): Promise<FreeSeat> {
  const { slot, subject } = request;
  // Only a start that is refused makes it worth reading the rest of the day.
  slot.require(subject, slot.isOnGrid ? undefined : await takenThatDay(queries, request));
  return requireFreeSeat(queries, request, standing);
}

/** A free seat for an appointment that already has this start: all that matters is whether there is room for it. */
export async function requireFreeSeat(queries: Queries, request: SeatRequest, standing?: Standing): Promise<FreeSeat> {
  const { doctor, slot, subject, mayOverbook, isClosed = false } = request;
  const others = standing ?? (await standingThen(queries, request));
  const { isTaken, ofPatient } = inTheWay(others, request);
  if (isClosed || (isTaken && !mayOverbook)) {
    const when = formatWallMinute(slot.start).replace('T', ' ').slice(0, 16);
    const free = slot.hasHours ? `; ${slot.nearest(await takenThatDay(queries, request))}` : '';
    throw new Refusal('SlotTaken', `${subject}doctor ${doctor.id} is already booked at ${when}${free}.`);
  }
  if (ofPatient !== undefined) {
    const problem = 'the patient already has an appointment at this center at that time';
    throw new Refusal('PatientOverlap', `${subject}${problem}.`);
  }
  return seatThen(queries, request, others, isTaken);
}

/**
 * The seat of an appointment beside others. One that overlaps gets a seat beyond the others; for any other, they get new seats if none is free
 * throughout the slot, although the doctor has room at every moment of it.
 */
export async function seatThen(
  queries: SeatQueries,
  request: SeatWanted,
  { ofDoctor }: Standing,
  overlaps: boolean,
): Promise<FreeSeat> {
  const { center, slot, moving } = request;
  const { start: startsAt, end: endsAt, minutes } = slot;
  let held = ofDoctor;
  if (overlaps) return { startsAt, endsAt, minutes, seat: seatBeside(held, startsAt, endsAt), overlapping: 1 };
  for (let knownTo = endsAt; ; ) {
    const { seat, moved } = seatAmong(held, startsAt, endsAt);
    const last = moved.reduce((latest, { endsAt }) => Math.max(latest, endsAt), knownTo);
    if (last === knownTo) {
      if (moved.length > 0) await queries.appointments.reseat(center.id, moved, moving?.id);
      return { startsAt, endsAt, minutes, seat, overlapping: 0 };
    }
    knownTo = last + MINUTES_PER_DAY;
    held = await standingOf(queries, request, startsAt, knownTo);
  }
}

/** Whether a slot of the same day is taken. */
async function takenThatDay(queries: Queries, request: SeatRequest): Promise<(slot: WantedSlot) => boolean> {
  const midnight = midnightBefore(request.slot.start);
  const held = await standingOf(queries, request, midnight, midnight + MINUTES_PER_DAY);
  return ({ start, end }) => isFull(held, request.doctor.capacity, start, end);
}

const midnightBefore = (minute: number): number => dayOf(minute) * MINUTES_PER_DAY;

function standingOf({ appointments }: SeatQueries, { center, doctor, moving }: SeatWanted, from: number, to: number) {
  return appointments.standing({ centerId: center.id, doctorId: doctor.id, from, to, exceptId: moving?.id });
}
