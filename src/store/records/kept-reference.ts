import type { Center, Doctor, DoctorLeave, OpeningHours } from './reference-records.ts';

/** Centers and doctors as they are while the version of the reference data lasts. What is not there is not kept: callers can ask for anything. */
export class KeptReference {
  readonly version: number;
  readonly centers = new Map<number, Center>();
  readonly doctors = new Map<string, Doctor>();
  readonly openingHours = new Map<string, readonly OpeningHours[]>();
  readonly leaves = new Map<string, readonly DoctorLeave[]>();

  constructor(version: number) {
    this.version = version;
  }
}

/** What a map keeps under a key, or what `read` finds; that is kept if there is something. */
export async function keptOr<K, V>(map: Map<K, V>, key: K, read: () => Promise<V | undefined>): Promise<V | undefined> {
  const known = map.get(key);
  if (known !== undefined) return known;
  const found = await read();
  if (found !== undefined) map.set(key, found);
  return found;
}
