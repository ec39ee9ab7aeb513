import type { DatabaseLocation } from '../../../src/store/database-location.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { BEFORE_FIRST } from '../../../src/store/queries/export-queries.ts';
import type { Acknowledged } from './booking-load.ts';
import type { Figure } from './figures.ts';

/** What the database has of the bookings that clients were told about. */
export interface StoredBookings {
  readonly rows: number;
  /** Acknowledged, but not stored as acknowledged. */
  readonly lost: number;
  /** Slots with more than one appointment, and patients who were booked more than once. */
  readonly doubled: number;
}

/** Reads every appointment. There may be a booking that no client knows about, because its answer was lost. */
export async function storedBookings(
  location: DatabaseLocation,
  acknowledged: readonly Acknowledged[],
): Promise<StoredBookings> {
  const store = await openStore(location, { mustExist: true });
  try {
    const byId = new Map<number, string>();
    const slots = new Set<string>();
    const patients = new Set<string>();
    let doubled = 0;
    for (let behind = BEFORE_FIRST; ; ) {
      const page = await store.read(({ exports }) => exports.appointmentsAfter(behind));
      for (const row of page) {
        byId.set(row.id, `${row.doctorId} ${row.startsAt} ${row.registrationNumber}`);
        for (const [seen, key] of [
          [slots, `${row.doctorId} ${row.startsAt}`],
          [patients, `${row.registrationNumber}`],
        ] as const) {
          if (seen.has(key)) doubled++;
          seen.add(key);
        }
      }
      const last = page.at(-1);
      if (last === undefined) break;
      behind = last;
    }
    const lost = acknowledged.filter((booking) => byId.get(booking.appointmentId) !== keyOf(booking)).length;
    return { rows: byId.size, lost, doubled };
  } finally {
    await store.close();
  }
}

/** What clients were told beside what is stored: nothing is lost or duplicated, and no answer is wrong. */
export async function comparison(
  location: DatabaseLocation,
  acknowledged: readonly Acknowledged[],
  wrong: readonly string[],
): Promise<Omit<Figure, 'what'>> {
  const { lost, doubled } = await storedBookings(location, acknowledged);
  const figures = { acknowledged: acknowledged.length, lost, doubled, 'wrong answers': wrong.join(' | ') || 0 };
  return { figures, ok: lost === 0 && doubled === 0 && wrong.length === 0 };
}

const keyOf = ({ doctorId, date, time, registrationNumber }: Acknowledged): string =>
  `${doctorId} ${Date.parse(`${date}T${time}Z`) / 60_000} ${registrationNumber}`;
