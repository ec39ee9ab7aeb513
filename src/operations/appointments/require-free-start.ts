import { mostAtOnce, type SeatSpan, seatAmong } from '../../rules/free-seat.ts';
import { bookingWindow, checkStart, nearestSlots, type StartCheck } from '../../rules/slots.ts';
import { wallEnd } from '../../rules/time-zone.ts';
import { dayOf, formatWallMinute } from '../../rules/wall-minute.ts';
import type { Center, Doctor } from '../../store/queries/reference-rows.ts';
import type { Queries } from '../../store/store.ts';
import { MINUTES_PER_DAY } from '../../vocabulary/appointments.ts';
import { Refusal, ResultCode } from '../../vocabulary/result-codes.ts';
import type { StoredAppointment } from '../../vocabulary/stored-records.ts';

export interface WantedStart {
  readonly center: Center;
  readonly doctor: Doctor;
  /** Wall minute of the center. */
  readonly start: number;
  /** The parameters that contained the start, such as `app_date and app_time`. */
  readonly parameters: string;
  /** Instant, ms. */
  readonly now: number;
  /** The appointment that is being moved, if any. */
  readonly movingId?: number;
}

/** A free place in the doctor's day. */
type FreeSlot = Pick<StoredAppointment, 'startsAt' | 'endsAt' | 'seat'>;

/**
 * The free slot at that start, or the refusal that applies: PastTime, BeyondHorizon, DoctorNotAvailable, SlotTaken. A refusal because of
 * the slot proposes the nearest free slots. `standing` are the appointments during the slot, if the caller has already read them.
 */
export async function requireFreeStart(
  queries: Queries,
  wanted: WantedStart,
  standing?: readonly StoredAppointment[],
): Promise<FreeSlot> {
  const check = await startCheck(queries, wanted);
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
 * The same for an appointment that already has this start: all that matters is whether there is room for it. Others get new seats if none is
 * free throughout the slot, although the doctor has room at every moment of it.
 */
export async function requireFreeSeat(
  queries: Queries,
  wanted: WantedStart,
  standing?: readonly StoredAppointment[],
): Promise<FreeSlot> {
  const { center, doctor, start, parameters, movingId } = wanted;
  const endsAt = wallEnd(start, doctor.slotMinutes, center.timeZone);
  let held = standing?.map(seatOf) ?? (await seatsHeld(queries, wanted, start, endsAt));
  if (mostAtOnce(held, start, endsAt) < doctor.capacity) {
    for (let knownTo = endsAt; ; ) {
      const { seat, moved } = seatAmong(held, start, endsAt);
      const last = moved.reduce((latest, { to }) => Math.max(latest, to), knownTo);
      if (last === knownTo) {
        if (moved.length > 0) await queries.appointments.reseat(center.id, moved, movingId);
        return { startsAt: start, endsAt, seat };
      }
      knownTo = last + MINUTES_PER_DAY;
      held = await seatsHeld(queries, wanted, start, knownTo);
    }
  }
  const when = formatWallMinute(start).replace('T', ' ').slice(0, 16);
  const check = await startCheck(queries, wanted);
  const others = check.openings.length === 0 ? '' : `; ${nearestSlots(await withTheDay(queries, wanted, check))}`;
  const subject = parameters.includes(' ') ? 'Parameters' : 'Parameter';
  throw new Refusal(
    'SlotTaken',
    `${subject} ${parameters}: doctor ${doctor.id} is already booked at ${when}${others}.`,
  );
}

/** What is checked about a start. */
async function startCheck(
  { reference }: Queries,
  { center, doctor, start, parameters, now }: WantedStart,
): Promise<StartCheck> {
  const [openings, leaves] = await Promise.all([
    reference.openingHours(center.id, doctor.id),
    reference.leaves(center.id, doctor.id, midnightBefore(start)),
  ]);
  return {
    start,
    window: bookingWindow(now, center.timeZone),
    slotMinutes: doctor.slotMinutes,
    openings,
    leaves,
    doctorId: doctor.id,
    parameters,
  };
}

/** The same with the rest of the doctor's day, so that only free times are proposed. */
async function withTheDay(queries: Queries, wanted: WantedStart, check: StartCheck): Promise<StartCheck> {
  const midnight = midnightBefore(wanted.start);
  const { center, doctor } = wanted;
  const { capacity, slotMinutes } = doctor;
  const held = await seatsHeld(queries, wanted, midnight, midnight + MINUTES_PER_DAY);
  const endOf = (slot: number) => wallEnd(slot, slotMinutes, center.timeZone);
  return { ...check, isTaken: (slot) => mostAtOnce(held, slot, endOf(slot)) >= capacity };
}

const midnightBefore = (minute: number): number => dayOf(minute) * MINUTES_PER_DAY;

async function seatsHeld(
  { appointments }: Queries,
  { center, doctor, movingId }: WantedStart,
  from: number,
  to: number,
): Promise<readonly HeldSeat[]> {
  const standing = await appointments.standing({ centerId: center.id, doctorId: doctor.id, from, to }, movingId);
  return standing.map(seatOf);
}

type HeldSeat = SeatSpan & Pick<StoredAppointment, 'id'>;

const seatOf = ({ id, seat, startsAt: from, endsAt: to }: StoredAppointment): HeldSeat => ({ id, seat, from, to });
