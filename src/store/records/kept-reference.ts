import type { Appointment } from './appointment.ts';
import type { Center, Doctor, DoctorLeave, OpeningHours } from './reference-records.ts';

/** The part of an appointment that comes from its doctor and its center. */
type AppointmentNames = Pick<Appointment, 'doctorName' | 'timeZone'>;

/**
 * A cache of centers and doctors for one version of the reference data. Missing ones are not cached, because callers can ask for any
 * number.
 */
export class KeptReference {
  readonly version: number;
  readonly centers = new Map<number, Center>();
  readonly doctors = new Map<string, Doctor>();
  readonly openingHours = new Map<string, readonly OpeningHours[]>();
  readonly leaves = new Map<string, readonly DoctorLeave[]>();

  /** By center, then by doctor. */
  readonly #names = new Map<number, Map<number, AppointmentNames>>();

  constructor(version: number) {
    this.version = version;
  }

  namesOf(centerId: number, doctorId: number): AppointmentNames | undefined {
    return this.#names.get(centerId)?.get(doctorId);
  }

  keepNames({ centerId, doctorId, doctorName, timeZone }: Appointment): void {
    const ofCenter = this.#names.get(centerId) ?? new Map<number, AppointmentNames>();
    this.#names.set(centerId, ofCenter.set(doctorId, { doctorName, timeZone }));
  }
}

/** Returns the value of a key in a map, or otherwise what `read` finds, which is then cached if it exists. */
export async function keptOr<K, V>(map: Map<K, V>, key: K, read: () => Promise<V | undefined>): Promise<V | undefined> {
  const known = map.get(key);
  if (known !== undefined) return known;
  const found = await read();
  if (found !== undefined) map.set(key, found);
  return found;
}
