import type { AppointmentRow } from '../../store/records/patient-records.ts';
import { isSamePatient, type PatientIdentity } from '../../vocabulary/patient-identity.ts';

/** Whose appointments are looked for. At least the number or the phone is present. */
export interface PersonSearch {
  readonly registrationKey: string | undefined;
  /** E.164. */
  readonly phone: string | undefined;
  readonly centerId: number | undefined;
  /** Only persons with these names; empty for all. */
  readonly nameKeys: ReadonlySet<string>;
}

const identityOf = (row: AppointmentRow): PatientIdentity => ({
  registrationKey: row.registration_key,
  nameKey: row.name_key,
  phone: row.phone,
});

/**
 * The appointments that the search asks for, and those of the same patient under another spelling: a further row is included if it is the
 * same patient as an included row. `rowsOf` returns all rows with a registration key or a phone. `others` share a key or a phone with them.
 */
export async function appointmentsOfPerson(
  { registrationKey, phone, centerId, nameKeys }: PersonSearch,
  rowsOf: (registrationKeys: readonly string[], phones: readonly string[]) => Promise<readonly AppointmentRow[]>,
): Promise<{ readonly own: readonly AppointmentRow[]; readonly others: readonly AppointmentRow[] }> {
  const keys = new Set(registrationKey === undefined ? [] : [registrationKey]);
  const phones = new Set(phone === undefined ? [] : [phone]);
  const mayBelong = (row: AppointmentRow): boolean =>
    (centerId === undefined || row.center_id === centerId) && (nameKeys.size === 0 || nameKeys.has(row.name_key));
  const isAskedFor = (row: AppointmentRow): boolean =>
    (registrationKey === undefined || row.registration_key === registrationKey) &&
    (phone === undefined || row.phone === phone);
  for (;;) {
    const rows = await rowsOf([...keys], [...phones]);
    const own = new Set(rows.filter((row) => mayBelong(row) && isAskedFor(row)));
    // A set that grows during iteration is iterated to its end.
    for (const known of own) {
      for (const row of rows) {
        if (!own.has(row) && mayBelong(row) && isSamePatient(identityOf(known), identityOf(row))) own.add(row);
      }
    }
    const before = keys.size + phones.size;
    for (const row of own) {
      if (row.registration_key !== null) keys.add(row.registration_key);
      phones.add(row.phone);
    }
    if (keys.size + phones.size === before) {
      return { own: rows.filter((row) => own.has(row)), others: rows.filter((row) => !own.has(row)) };
    }
  }
}
