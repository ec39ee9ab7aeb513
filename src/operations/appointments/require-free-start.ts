import { Refusal } from '../../result-codes.ts';
import { checkStart } from '../../rules/slots.ts';
import { formatWallMinute, wallMinuteAt } from '../../rules/wall-time.ts';
import type { Center, Doctor } from '../../store/records/reference-records.ts';
import type { Records } from '../../store/store.ts';
import type { Policy } from '../dependencies.ts';

export interface WantedStart {
  readonly center: Center;
  readonly doctor: Doctor;
  /** Wall minute of the center. */
  readonly start: number;
  /** The parameters that gave the start, such as `app_date and app_time`. */
  readonly parameters: string;
  /** Instant, ms. */
  readonly now: number;
  /** The appointment that is being moved, if one is. */
  readonly movingId?: number;
}

/** A place in the doctor's day that nobody holds. Wall minutes, half-open. */
export interface FreeSlot {
  readonly startsAt: number;
  readonly endsAt: number;
  readonly seat: number;
}

/** The free slot at that start, or the refusal that applies: PastTime, BeyondHorizon, DoctorNotAvailable, SlotTaken. */
export async function requireFreeStart(
  { reference, appointments }: Records,
  { center, doctor, start, parameters, now, movingId }: WantedStart,
  policy: Policy,
): Promise<FreeSlot> {
  const wallNow = wallMinuteAt(now, center.timeZone);
  const openings = await reference.openingHours(center.id, doctor.id);
  const leaves = await reference.leaves(center.id, doctor.id, start);
  checkStart({
    start,
    now: wallNow,
    slotMinutes: doctor.slotMinutes,
    openings,
    leaves,
    doctorId: doctor.id,
    parameters,
    pastGraceMinutes: policy.pastGraceMinutes,
    horizonDays: policy.horizonDays,
  });
  const endsAt = start + doctor.slotMinutes;
  const span = { centerId: center.id, doctorId: doctor.id, from: start, to: endsAt };
  const seat = await appointments.freeSeat(span, doctor.capacity, movingId);
  if (seat === undefined) {
    const when = formatWallMinute(start).replace('T', ' ').slice(0, 16);
    throw new Refusal('SlotTaken', `Parameters ${parameters}: doctor ${doctor.id} is already booked at ${when}.`);
  }
  return { startsAt: start, endsAt, seat };
}
