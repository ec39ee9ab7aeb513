import type { Appointment } from './appointment.ts';
import type { Center, Doctor, DoctorLeave, OpeningHours } from './reference-records.ts';

/** What an appointment takes from its doctor and its center. */
type AppointmentNames = Pick<Appointment, 'doctorName' | 'timeZone'>;

/** Cache of centers and doctors for one version of the reference data. Missing ones are not cached, because callers can ask for anything. */
export class KeptReference {
  readonly version: number;
  readonly centers = new Map<number, Center>();
  readonly doctors = new Map<string, Doctor>();
  readonly openingHours = new Map<string, readonly OpeningHours[]>();
  readonly leaves = new Map<string, readonly DoctorLeave[]>();

  /** By center, then doctor. */
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

/** Returns what a map holds under a key, or otherwise what `read` finds; a result that exists is cached. */
export async function keptOr<K, V>(map: Map<K, V>, key: K, read: () => Promise<V | undefined>): Promise<V | undefined> {
  const known = map.get(key);
  if (known !== undefined) return known;
  const found = await read();
  if (found !== undefined) map.set(key, found);
  return found;
}
