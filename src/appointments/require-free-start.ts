import type { ReferenceData } from '../store/queries/reference-data.ts';
import type { Center, Doctor } from '../store/queries/reference-rows.ts';
import type { Queries } from '../store/store.ts';
import { LONGEST_SPAN_MINUTES, MINUTES_PER_DAY } from '../vocabulary/appointments.ts';
import { Refusal, ResultCode } from '../vocabulary/result-codes.ts';
import type { StoredAppointment } from '../vocabulary/stored-records.ts';
import { realMinutes, wallEnd } from '../vocabulary/time-zone.ts';
import { dayOf, formatWallMinute } from '../vocabulary/wall-minute.ts';
import { mostAtOnce, type SeatSpan, seatAmong, seatBeside } from './free-seat.ts';
import { isSamePatient, type PatientIdentity } from './same-patient.ts';
import { bookingWindow, checkStart, isOnGrid, nearestSlots, type StartCheck, slotMeant } from './slots.ts';

export interface WantedStart {
  readonly reference: ReferenceData;
  readonly center: Center;
  readonly doctor: Doctor;
  readonly patient: PatientIdentity;
  /** Wall minute of the center. */
  readonly start: number;
  /** The parameters that contained the start, such as `app_date and app_time`. */
  readonly parameters: string;
  /** Instant, ms. */
  readonly now: number;
  /** The appointment that is being moved, if any, which keeps its length. */
  readonly moving?: Pick<StoredAppointment, 'id' | 'startsAt' | 'endsAt'>;
  /** Whether the caller may have a full slot. */
  readonly mayOverbook: boolean;
}

/** A free place in the doctor's day. */
type FreeSlot = Pick<StoredAppointment, 'startsAt' | 'endsAt' | 'seat' | 'overlapping'>;

/** The other appointments during a slot. */
interface Standing {
  readonly ofDoctor: readonly StoredAppointment[];
  /** With any doctor of the center. */
  readonly ofPatient: readonly StoredAppointment[];
}

/** Both are requested together, so that a database on the network answers them in one round trip. */
export async function standingThen({ appointments }: Queries, wanted: WantedStart): Promise<Standing> {
  const { center, doctor, patient, start, moving } = wanted;
  const span = { centerId: center.id, from: start, to: endOf(wanted), exceptId: moving?.id };
  const [ofDoctor, ofName] = await Promise.all([
    appointments.standing({ ...span, doctorId: doctor.id }),
    appointments.standingOfName({ ...span, nameKey: patient.nameKey }),
  ]);
  return { ofDoctor, ofPatient: ofName.filter((other) => isSamePatient(other, patient)) };
}

const minutesOf = ({ center: { timeZone }, doctor, moving }: WantedStart): number =>
  moving === undefined ? doctor.slotMinutes : realMinutes(moving.startsAt, moving.endsAt, timeZone);

const endOf = (wanted: WantedStart): number =>
  Math.min(wallEnd(wanted.start, minutesOf(wanted), wanted.center.timeZone), wanted.start + LONGEST_SPAN_MINUTES);

/** A start with what is checked about it. */
interface CheckedStart {
  readonly wanted: WantedStart;
  readonly check: StartCheck;
}

/** The slot that is meant, and whether the doctor's hours have one at the time that was sent. */
export function slotWanted(sent: WantedStart): CheckedStart & { isOnGrid: boolean } {
  const check = startCheck(sent);
  if (isOnGrid(check)) return { wanted: sent, check, isOnGrid: true };
  const start = slotMeant(check);
  return { wanted: { ...sent, start }, check: { ...check, start }, isOnGrid: false };
}

/**
 * The free slot at that start, or the refusal that applies: PastTime, BeyondHorizon, DoctorNotAvailable, SlotTaken, PatientOverlap. A refusal
 * because of the slot proposes the nearest free slots. `standing` is passed if the caller has already read it.
 */
export async function requireFreeStart(
  queries: Queries,
  { wanted, check }: CheckedStart,
  standing?: Standing,
): Promise<FreeSlot> {
  try {
    checkStart(check);
  } catch (error) {
    if (!(error instanceof Refusal) || error.resultCode !== ResultCode.DoctorNotAvailable) throw error;
    // Only now is it worth reading the rest of the day.
    checkStart(await withTheDay(queries, wanted, check));
    throw error;
  }
  return requireFreeSeat(queries, wanted, standing);
}

/**
 * A free seat for an appointment that already has this start: all that matters is whether there is room for it. Others get new seats if none is
 * free throughout the slot, although the doctor has room at every moment of it.
 */
export async function requireFreeSeat(queries: Queries, wanted: WantedStart, standing?: Standing): Promise<FreeSlot> {
  const { center, doctor, start, parameters, moving, mayOverbook } = wanted;
  const subject = `${parameters.includes(' ') ? 'Parameters' : 'Parameter'} ${parameters}`;
  const endsAt = endOf(wanted);
  const { ofDoctor, ofPatient } = standing ?? (await standingThen(queries, wanted));
  let held: readonly HeldSeat[] = ofDoctor.map(seatOf);
  const isFull = mostAtOnce(held, start, endsAt) >= doctor.capacity;
  if (!isFull || mayOverbook) {
    if (ofPatient.length > 0) {
      const problem = 'the patient already has an appointment at this center at that time';
      throw new Refusal('PatientOverlap', `${subject}: ${problem}.`);
    }
    if (isFull) return { startsAt: start, endsAt, seat: seatBeside(held, start, endsAt), overlapping: 1 };
    for (let knownTo = endsAt; ; ) {
      const { seat, moved } = seatAmong(held, start, endsAt);
      const last = moved.reduce((latest, { to }) => Math.max(latest, to), knownTo);
      if (last === knownTo) {
        if (moved.length > 0) await queries.appointments.reseat(center.id, moved, moving?.id);
        return { startsAt: start, endsAt, seat, overlapping: 0 };
      }
      knownTo = last + MINUTES_PER_DAY;
      held = await seatsHeld(queries, wanted, start, knownTo);
    }
  }
  const when = formatWallMinute(start).replace('T', ' ').slice(0, 16);
  const check = startCheck(wanted);
  const others = check.openings.length === 0 ? '' : `; ${nearestSlots(await withTheDay(queries, wanted, check))}`;
  throw new Refusal('SlotTaken', `${subject}: doctor ${doctor.id} is already booked at ${when}${others}.`);
}

/** What is checked about a start. */
function startCheck(wanted: WantedStart): StartCheck {
  const { reference, center, doctor, start, parameters, now } = wanted;
  return {
    start,
    window: bookingWindow(now, center.timeZone),
    slotMinutes: doctor.slotMinutes,
    minutes: minutesOf(wanted),
    openings: reference.openingHours(center.id, doctor.id),
    leaves: reference.leaves(center.id, doctor.id, midnightBefore(start)),
    doctorId: doctor.id,
    parameters,
  };
}

/** A check that also knows the rest of the doctor's day, so that only free times are proposed. */
async function withTheDay(queries: Queries, wanted: WantedStart, check: StartCheck): Promise<StartCheck> {
  const midnight = midnightBefore(wanted.start);
  const held = await seatsHeld(queries, wanted, midnight, midnight + MINUTES_PER_DAY);
  return {
    ...check,
    isTaken: (start) => mostAtOnce(held, start, endOf({ ...wanted, start })) >= wanted.doctor.capacity,
  };
}

const midnightBefore = (minute: number): number => dayOf(minute) * MINUTES_PER_DAY;

async function seatsHeld({ appointments }: Queries, wanted: WantedStart, from: number, to: number) {
  const { center, doctor, moving } = wanted;
  const span = { centerId: center.id, doctorId: doctor.id, from, to, exceptId: moving?.id };
  return (await appointments.standing(span)).map(seatOf);
}

type HeldSeat = SeatSpan & Pick<StoredAppointment, 'id'>;

const seatOf = ({ id, seat, startsAt: from, endsAt: to }: StoredAppointment): HeldSeat => ({ id, seat, from, to });
