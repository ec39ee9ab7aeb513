import { sql } from 'kysely';
import type { DatabaseDifferences } from '../database-differences.ts';
import { beyondCapacity, marksIndex, overlapping, staysInPlace, staysThePatients } from '../overlapping.ts';
import { SAME_PATIENT } from '../same-patient.ts';
import { PATIENT_OVERLAP, SEAT_TAKEN } from './guard-appointments.ts';

/**
 * Replaces the triggers for patients with ones that take marks into account, and adds one that checks the capacity wherever there are
 * marked appointments.
 */
export const guardOverlaps: DatabaseDifferences['guardOverlaps'] = async (db, bounds) => {
  const { lastHoldingStatus } = bounds;
  const standsThen = ([by, same]: readonly [string, string]) => ({
    name: `appointment_patient_by_${by}`,
    message: PATIENT_OVERLAP,
    stays: staysThePatients(bounds),
    condition: `EXISTS (SELECT 1 FROM appointment AS other WHERE other.center_id = NEW.center_id AND other.id <> NEW.id AND ${same}
      AND other.status <= ${lastHoldingStatus} AND ${overlapping(bounds)})`,
  });
  const patientGuards = Object.entries(SAME_PATIENT).map(standsThen);
  const seatGuard = {
    name: 'appointment_beside_marked',
    message: SEAT_TAKEN,
    stays: staysInPlace(bounds),
    condition: beyondCapacity(bounds),
  };
  const trigger = (name: string, event: string, unless: string, condition: string, message: string) =>
    `CREATE TRIGGER ${name} BEFORE ${event} ON appointment
      WHEN NEW.status <= ${lastHoldingStatus} AND NOT ${unless} AND ${condition} BEGIN SELECT RAISE(ABORT, '${message}'); END`;
  const statements = [
    marksIndex(bounds),
    ...patientGuards.flatMap(({ name }) => [`DROP TRIGGER ${name}_on_insert`, `DROP TRIGGER ${name}_on_update`]),
    ...[...patientGuards, seatGuard].flatMap(({ name, stays, condition, message }) => [
      trigger(`${name}_on_insert`, 'INSERT', '(NEW.marked = 1)', condition, message),
      trigger(`${name}_on_update`, 'UPDATE', stays, condition, message),
    ]),
  ];
  for (const text of statements) await sql.raw(text).execute(db);
};
