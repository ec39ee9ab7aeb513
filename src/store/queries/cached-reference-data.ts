import type { Center, Doctor, DoctorLeave, OpeningHours } from './reference-queries.ts';

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
 * The part of one version of the reference data that has been read so far. Missing centers and doctors are not cached, because callers can
 * ask for any number. Hours and leaves are read only for doctors who exist.
 */
export class CachedReferenceData {
  readonly version: number;
  readonly centers = new Map<number, Center>();
  readonly doctors = new ByDoctor<Doctor>();
  readonly openingHours = new ByDoctor<readonly OpeningHours[]>();
  readonly leaves = new ByDoctor<readonly DoctorLeave[]>();

  constructor(version: number) {
    this.version = version;
  }

  /** This data if it is of that version, otherwise empty data of that version. */
  ofVersion(version: number): CachedReferenceData {
    return version === this.version ? this : new CachedReferenceData(version);
  }
}
