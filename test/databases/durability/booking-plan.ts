/** A booking that conflicts with no other: its own slot and its own patient. */
export interface PlannedBooking {
  readonly centerId: number;
  readonly doctorId: number;
  /** `2027-01-18` and `10:15`, local time of the center. */
  readonly date: string;
  readonly time: string;
  /** The patient's own number; nobody else has it. */
  readonly registrationNumber: string;
}

/** Demo doctors without opening hours: they accept any time. */
const DOCTORS = [102, 103, 104, 105, 106, 107, 108, 109, 110, 201, 202, 203, 204, 205];
const SLOTS_A_DAY = 96;
const DAYS = 360;
const DAY = 24 * 60 * 60 * 1000;

const two = (n: number): string => String(n).padStart(2, '0');

/** An endless sequence of bookings of free slots with the demo doctors, beginning two days after an instant (ms); throws when a year is full. */
export function* plannedBookings(now: number): Generator<PlannedBooking, never> {
  for (let n = 0; n < DOCTORS.length * SLOTS_A_DAY * DAYS; n++) {
    const doctorId = DOCTORS[n % DOCTORS.length] as number;
    const slot = Math.floor(n / DOCTORS.length);
    const minutes = (slot % SLOTS_A_DAY) * 15;
    const date = new Date(now + (2 + Math.floor(slot / SLOTS_A_DAY)) * DAY).toISOString().slice(0, 10);
    const time = `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
    yield { centerId: Math.floor(doctorId / 100), doctorId, date, time, registrationNumber: `D-${n}` };
  }
  throw new Error('every slot of the year is planned');
}
