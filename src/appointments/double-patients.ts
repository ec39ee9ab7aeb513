import type { ReferenceData } from '../store/queries/reference-data.ts';
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
  reference: ReferenceData,
  doctors: readonly { readonly centerId: number; readonly id: number }[],
  now: number,
): Promise<readonly string[]> {
  const pairs: string[] = [];
  for (const [centerId, ofCenter] of Map.groupBy(doctors, (doctor) => doctor.centerId)) {
    const span = {
      centerId,
      from: wallMinuteAt(now, reference.center(centerId)?.timeZone ?? 'UTC'),
      to: INTEGER_BOUNDS.greatest,
    };
    const standing: StoredAppointment[] = [];
    for (const { id: doctorId } of ofCenter) standing.push(...(await appointments.standing({ ...span, doctorId })));
    for (const named of Map.groupBy(standing, ({ nameKey }) => nameKey).values()) {
      const inOrder = named.toSorted((a, b) => a.startsAt - b.startsAt || a.id - b.id);
      for (const [index, one] of inOrder.entries()) {
        for (const other of inOrder.slice(index + 1)) {
          if (other.startsAt >= one.endsAt) break;
          if (isSamePatient(one, other) && !allowEachOther(reference, one, other))
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
