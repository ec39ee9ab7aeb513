import { isFull } from '../appointments/free-seat.ts';
import { slotAt } from '../appointments/require-seat.ts';
import type { ReferenceData } from '../store/queries/reference-data.ts';
import { INTEGER_BOUNDS } from '../store/schema.ts';
import type { Queries } from '../store/store.ts';
import type { StoredAppointment } from '../vocabulary/stored-records.ts';
import { quantity } from '../vocabulary/text.ts';
import { wallMinuteAt } from '../vocabulary/time-zone.ts';
import { dayOf, spellDay } from '../vocabulary/wall-minute.ts';
import type { RowOfTable } from './tables.ts';

type Doctor = RowOfTable<'doctors'>;

/**
 * The upcoming appointments that could not be booked with these doctors, or their hours, leave, slots and capacity: somebody has to move them, or to see
 * the patients in spite of them. By center, doctor and day.
 */
export async function unfitAppointments(
  { appointments }: Queries,
  reference: ReferenceData,
  doctors: readonly Doctor[],
  now: number,
) {
  /** Days of doctors with appointments that no longer fit: a wall minute of the day, and AppointmentIDs. */
  const days: { readonly doctor: Doctor; readonly minute: number; readonly ids: readonly number[] }[] = [];
  for (const doctor of doctors) {
    const { centerId, id: doctorId, active } = doctor;
    const center = reference.center(centerId);
    if (center === undefined) continue;
    const from = wallMinuteAt(now, center.timeZone);
    const standing = await appointments.standing({ centerId, doctorId, from, to: INTEGER_BOUNDS.greatest });
    const excess = beyondCapacity(standing, doctor.capacity);
    const unfit = standing.filter((appointment) => {
      const slot = slotAt({ reference, center, doctor, now }, appointment.startsAt);
      const isTooLong = slot.hasHours && appointment.endsAt > slot.end;
      const fits = active === 1 && !isTooLong && !excess.has(appointment) && slot.isOpen;
      return slot.start >= from && !fits;
    });
    const byDay = Map.groupBy(unfit.toSorted(byStart), ({ startsAt }) => dayOf(startsAt));
    for (const ofDay of byDay.values()) {
      days.push({ doctor, minute: ofDay[0]?.startsAt ?? 0, ids: ofDay.map(({ id }) => id) });
    }
  }
  return days;
}

type Standing = Pick<StoredAppointment, 'id' | 'startsAt' | 'endsAt' | 'seat' | 'overlapping'>;

const byStart = (a: Standing, b: Standing): number => a.startsAt - b.startsAt || a.id - b.id;

/** Those for which the doctor has no place beside the ones that begin or were booked before them. Marked ones were never to have one. */
function beyondCapacity<One extends Standing>(standing: readonly One[], capacity: number): ReadonlySet<One> {
  const excess = new Set<One>();
  let held: readonly One[] = [];
  for (const one of standing.filter(({ overlapping }) => overlapping === 0).sort(byStart)) {
    held = held.filter(({ endsAt }) => endsAt > one.startsAt);
    if (isFull(held, capacity, one.startsAt, one.endsAt)) excess.add(one);
    else held = [...held, one];
  }
  return excess;
}

const MOST_DAYS = 20;
const MOST_IDS = 10;

/** One line for each doctor's day, and one for those that are too many to list. */
export function unfitTexts(days: Awaited<ReturnType<typeof unfitAppointments>>): string[] {
  const lines = days.slice(0, MOST_DAYS).map(({ doctor: { centerId, id, name, active }, minute, ids }) => {
    const rest = ids.length > MOST_IDS ? ` and ${ids.length - MOST_IDS} more` : '';
    const fit = quantity(ids.length, 'appointment does not fit', 'appointments do not fit');
    const who = `Doctor ${id} of center ${centerId}, ${name},${active === 0 ? ' who is inactive,' : ''}`;
    return `${who} on ${spellDay(minute)}: ${fit} the hours, leave, slots and capacity: ${ids.slice(0, MOST_IDS).join(', ')}${rest}.`;
  });
  const more = days.slice(MOST_DAYS);
  if (more.length === 0) return lines;
  const count = more.reduce((sum, { ids }) => sum + ids.length, 0);
  return [...lines, `${quantity(count, 'appointment')} more on ${quantity(more.length, 'other day')} of doctors.`];
}
