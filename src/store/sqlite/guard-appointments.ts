import { sql } from 'kysely';
import type { DatabaseDifferences, GuardBounds } from '../database-differences.ts';
import { overlapping } from '../overlapping.ts';
import { patientIndexes, SAME_PATIENT } from '../same-patient.ts';

/** The error messages of the triggers; `conflictOf` recognizes the guards by them. */
export const SEAT_TAKEN = 'appointment guard: seat taken';
export const PATIENT_OVERLAP = 'appointment guard: patient overlap';

/**
 * SQLite has no exclusion constraints, so triggers replace them. This is safe because SQLite runs one writer at a time: a trigger sees
 * every row that any process committed before its statement.
 * An appointment that started earlier than the longest slot allows can't extend into the new one.
 */
const guard = (bounds: GuardBounds, name: string, event: string, message: string, same: string) => `
  CREATE TRIGGER ${name} BEFORE ${event} ON appointment WHEN NEW.status <= ${bounds.lastHoldingStatus} AND EXISTS (
    SELECT 1 FROM appointment AS other
    WHERE other.center_id = NEW.center_id AND other.id <> NEW.id AND ${same} AND other.status <= ${bounds.lastHoldingStatus}
      AND ${overlapping(bounds)}
  ) BEGIN SELECT RAISE(ABORT, '${message}'); END`;

const SAME_SEAT = 'other.doctor_id = NEW.doctor_id AND other.seat = NEW.seat';

/** Makes overbooking impossible in the file itself, whichever program writes to it. */
export const guardAppointments: DatabaseDifferences['guardAppointments'] = async (db, bounds) => {
  const statements = [
    `CREATE INDEX appointment_standing_by_doctor ON appointment (center_id, doctor_id, starts_at, ends_at, seat) WHERE status <= ${bounds.lastHoldingStatus}`,
    ...patientIndexes(bounds),
    guard(bounds, 'appointment_seat_on_insert', 'INSERT', SEAT_TAKEN, SAME_SEAT),
    guard(bounds, 'appointment_seat_on_update', 'UPDATE', SEAT_TAKEN, SAME_SEAT),
    ...Object.entries(SAME_PATIENT).flatMap(([by, same]) => [
      guard(bounds, `appointment_patient_by_${by}_on_insert`, 'INSERT', PATIENT_OVERLAP, same),
      guard(bounds, `appointment_patient_by_${by}_on_update`, 'UPDATE', PATIENT_OVERLAP, same),
    ]),
  ];
  for (const text of statements) await sql.raw(text).execute(db);
};
