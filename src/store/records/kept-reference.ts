import type { Appointment } from './appointment.ts';
import type { Center, Doctor, DoctorLeave, OpeningHours } from './reference-records.ts';

/** The part of an appointment that comes from its doctor and its center. */
type AppointmentNames = Pick<Appointment, 'doctorName' | 'timeZone'>;

/** Values of doctors, by center and doctor. */
export class ByDoctor<V> {
  readonly #centers = new Map<number, Map<number, V>>();

  get(centerId: number, doctorId: number): V | undefined {
    return this.#centers.get(centerId)?.get(doctorId);
  }

  set(centerId: number, doctorId: number, value: V): void {
    const ofCenter = this.#centers.get(centerId) ?? new Map<number, V>();
    this.#centers.set(centerId, ofCenter.set(doctorId, value));
  }
}

/**
 * A cache of one version of the reference data. Missing centers and doctors are not cached, because callers can ask for any number. Hours and
 * leaves are read only for doctors who exist.
 */
export class KeptReference {
  readonly version: number;
  readonly centers = new Map<number, Center>();
  readonly doctors = new ByDoctor<Doctor>();
  readonly openingHours = new ByDoctor<readonly OpeningHours[]>();
  readonly leaves = new ByDoctor<readonly DoctorLeave[]>();
  readonly names = new ByDoctor<AppointmentNames>();

  constructor(version: number) {
    this.version = version;
  }
}
