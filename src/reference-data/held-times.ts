import type { SeatSpan } from '../rules/free-seat.ts';
import { LONGEST_SLOT_MINUTES } from '../vocabulary/appointments.ts';
import { isSamePatient, type PatientIdentity } from '../vocabulary/patients.ts';

/** An appointment that occupies its slot, in the form that others are compared with. Wall minutes, half-open. */
export interface Held extends SeatSpan {
  readonly doctorId: number;
  readonly patient: PatientIdentity;
  /** For the message that rejects another appointment. */
  readonly name: string;
}

/** The times occupied by a center's doctors and patients, indexed by doctor and by patient. */
export class HeldTimes {
  /** By doctor, and by period of the length of the longest slot, so that overlapping appointments are in two or three adjacent periods. */
  readonly #byDoctor = new Map<string, Held[]>();
  readonly #byPatient = new Map<string, Held[]>();

  add(held: Held): void {
    push(this.#byDoctor, doctorKey(held.doctorId, stretchOf(held.from)), held);
    for (const key of patientKeys(held.patient)) push(this.#byPatient, key, held);
  }

  /** The doctor's appointments that overlap a span. */
  ofDoctor(doctorId: number, from: number, to: number): readonly Held[] {
    const found: Held[] = [];
    for (let stretch = stretchOf(from) - 1; stretch <= stretchOf(to - 1); stretch++) {
      for (const held of this.#byDoctor.get(doctorKey(doctorId, stretch)) ?? []) {
        if (held.from < to && held.to > from) found.push(held);
      }
    }
    return found;
  }

  /** An appointment of the patient that overlaps a span. */
  ofPatient(patient: PatientIdentity, from: number, to: number): Held | undefined {
    for (const key of patientKeys(patient)) {
      const found = this.#byPatient
        .get(key)
        ?.find((held) => held.from < to && held.to > from && isSamePatient(held.patient, patient));
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

const stretchOf = (minute: number): number => Math.floor(minute / LONGEST_SLOT_MINUTES);

const doctorKey = (doctorId: number, stretch: number): string => `${doctorId}/${stretch}`;

/** Any two identities of the same patient share a key. */
const patientKeys = ({ registrationKey, nameKey, phone }: PatientIdentity): readonly string[] =>
  registrationKey === null ? [`${phone} ${nameKey}`] : [`${phone} ${nameKey}`, `#${registrationKey}`];

function push(map: Map<string, Held[]>, key: string, held: Held): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [held]);
  else list.push(held);
}
