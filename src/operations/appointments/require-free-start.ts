import { bookingWindow } from '../../rules/booking-window.ts';
import { freeSeat } from '../../rules/free-seat.ts';
import { checkStart, nearestSlots, type StartCheck } from '../../rules/slots.ts';
import { dayOf, formatWallMinute } from '../../rules/wall-minute.ts';
import type { HeldSeat } from '../../store/queries/appointment.ts';
import type { Center, Doctor } from '../../store/queries/reference-queries.ts';
import type { Queries } from '../../store/store.ts';
import { MINUTES_PER_DAY } from '../../vocabulary/appointments.ts';
import { Refusal, ResultCode } from '../../vocabulary/result-codes.ts';

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

/** A free place in the doctor's day. Wall minutes, end excluded. */
export interface FreeSlot {
  readonly startsAt: number;
  readonly endsAt: number;
  readonly seat: number;
}

/** What is checked about a start, and what the database contains. */
interface Look {
  readonly check: StartCheck;
  /** The same with the rest of the doctor's day, so that only free times are proposed. */
  withTheDay(): Promise<StartCheck>;
  readonly heldThen: readonly HeldSeat[];
}

/**
 * The free slot at that start, or the refusal that applies: PastTime, BeyondHorizon, DoctorNotAvailable, SlotTaken. A refusal because of
 * the slot proposes the nearest free slots. `heldThen` are the seats that are occupied during the slot, if the caller has already read them.
 */
export async function requireFreeStart(
  queries: Queries,
  wanted: WantedStart,
  heldThen?: readonly HeldSeat[],
): Promise<FreeSlot> {
  const look = await lookAt(queries, wanted, heldThen);
  try {
    checkStart(look.check);
  } catch (error) {
    if (!(error instanceof Refusal) || error.resultCode !== ResultCode.DoctorNotAvailable) throw error;
    // Only now is it worth reading the rest of the day.
    checkStart(await look.withTheDay());
    throw error;
  }
  return freeSlot(wanted, look);
}

/** The same for an appointment that already has this start: all that matters is whether its slot has been taken. */
export const requireFreeSeat = async (queries: Queries, wanted: WantedStart): Promise<FreeSlot> =>
  freeSlot(wanted, await lookAt(queries, wanted));

async function lookAt(
  { reference, appointments }: Queries,
  { center, doctor, start, parameters, now, movingId }: WantedStart,
  known?: readonly HeldSeat[],
): Promise<Look> {
  const midnight = dayOf(start) * MINUTES_PER_DAY;
  const heldBetween = (from: number, to: number) =>
    appointments.seatsHeld({ centerId: center.id, doctorId: doctor.id, from, to }, movingId);
  const [openings, leaves, heldThen] = await Promise.all([
    reference.openingHours(center.id, doctor.id),
    reference.leaves(center.id, doctor.id, midnight),
    known ?? heldBetween(start, start + doctor.slotMinutes),
  ]);
  const check: StartCheck = {
    start,
    window: bookingWindow(now, center.timeZone),
    slotMinutes: doctor.slotMinutes,
    openings,
    leaves,
    doctorId: doctor.id,
    parameters,
  };
  return {
    check,
    heldThen,
    withTheDay: async () => {
      const held = await heldBetween(midnight, midnight + MINUTES_PER_DAY);
      return {
        ...check,
        isTaken: (slot) => freeSeat(held, doctor.capacity, slot, slot + doctor.slotMinutes) === undefined,
      };
    },
  };
}

/** Throws Refusal SlotTaken. */
async function freeSlot({ doctor, start, parameters }: WantedStart, look: Look): Promise<FreeSlot> {
  const endsAt = start + doctor.slotMinutes;
  const seat = freeSeat(look.heldThen, doctor.capacity, start, endsAt);
  if (seat !== undefined) return { startsAt: start, endsAt, seat };
  const when = formatWallMinute(start).replace('T', ' ').slice(0, 16);
  const others = look.check.openings.length === 0 ? '' : `; ${nearestSlots(await look.withTheDay())}`;
  const subject = parameters.includes(' ') ? 'Parameters' : 'Parameter';
  throw new Refusal(
    'SlotTaken',
    `${subject} ${parameters}: doctor ${doctor.id} is already booked at ${when}${others}.`,
  );
}
