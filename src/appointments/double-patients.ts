import type { Doctor } from '../store/queries/reference-rows.ts';
import { INTEGER_BOUNDS } from '../store/schema.ts';
import type { Queries } from '../store/store.ts';
import type { StoredAppointment } from '../vocabulary/stored-records.ts';
import { quantity } from '../vocabulary/text.ts';
import { wallMinuteAt } from '../vocabulary/time-zone.ts';
import { allowEachOther } from './require-seat.ts';
import { isSamePatient } from './same-patient.ts';

const MOST_PAIRS = 10;

/**
 * Upcoming appointments of one patient that overlap, as sentences without a name: no constraint of the database forbids them, so a replica of
 * version 1.0.0 or SQL by hand may have stored them.
 */
export async function doublePatients(
  { appointments }: Queries,
  doctors: readonly Doctor[],
  zoneOf: (centerId: number) => string,
  now: number,
): Promise<readonly string[]> {
  const pairs: string[] = [];
  for (const [centerId, ofCenter] of Map.groupBy(doctors, (doctor) => doctor.centerId)) {
    const span = { centerId, from: wallMinuteAt(now, zoneOf(centerId)), to: INTEGER_BOUNDS.greatest };
    const standing: (StoredAppointment & { readonly doctor: Doctor })[] = [];
    for (const doctor of ofCenter) {
      const held = await appointments.standing({ ...span, doctorId: doctor.id });
      standing.push(...held.map((one) => ({ ...one, doctor })));
    }
    for (const named of Map.groupBy(standing, ({ nameKey }) => nameKey).values()) {
      const inOrder = named.toSorted((a, b) => a.startsAt - b.startsAt || a.id - b.id);
      for (const [index, one] of inOrder.entries()) {
        for (const other of inOrder.slice(index + 1)) {
          if (other.startsAt >= one.endsAt) break;
          if (!isSamePatient(one, other) || allowEachOther(one.doctor, other.doctor)) continue;
          pairs.push(`${centerId}/${one.id} and ${centerId}/${other.id}`);
        }
      }
    }
  }
  if (pairs.length === 0) return [];
  const more = pairs.length > MOST_PAIRS ? `, and ${quantity(pairs.length - MOST_PAIRS, 'more pair')}` : '';
  return [
    `A patient has two appointments at one time: ${pairs.slice(0, MOST_PAIRS).join('; ')}${more}; ask the patient which one to cancel.`,
  ];
}
