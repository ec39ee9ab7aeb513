import { sql } from 'kysely';
import type { DatabaseDifferences } from '../database-differences.ts';
import { overlapping } from '../overlapping.ts';
import { patientIndexes, SAME_PATIENT } from '../same-patient.ts';
import { functionOf } from './function-of.ts';

/** Names of the constraints and triggers that refuse rows; `conflictOf` recognizes the guards by them. */
export const SEAT_TAKEN = 'appointment_seat_held_once';
export const PATIENT_OVERLAP = 'appointment_patient_in_one_place';

/** Makes overbooking impossible in the database itself, whichever program writes to it. */
export const guardAppointments: DatabaseDifferences['guardAppointments'] = async (db, bounds) => {
  const { lastHoldingStatus } = bounds;
  const statements = [
    // Allows one index to contain both integers and ranges. Any owner of a database may add this extension.
    'CREATE EXTENSION IF NOT EXISTS btree_gist',
    `CREATE INDEX appointment_standing_by_doctor ON appointment (center_id, doctor_id, starts_at, ends_at, seat) WHERE status <= ${lastHoldingStatus}`,
    `ALTER TABLE appointment ADD CONSTRAINT ${SEAT_TAKEN} EXCLUDE USING gist
      (center_id WITH =, doctor_id WITH =, seat WITH =, int8range(starts_at, ends_at) WITH &&) WHERE (status <= ${lastHoldingStatus})`,
    ...patientIndexes(bounds),
    // "Is the same patient" is not an equivalence relation, so no exclusion constraint can express it. A query is enough: a unit of work
    // that writes a patient's appointments holds that patient's lock (`patientKeys` in store-keys.ts), so no two of them run concurrently.
    functionOf(
      PATIENT_OVERLAP,
      `IF EXISTS (SELECT 1 FROM appointment AS other WHERE other.center_id = NEW.center_id AND other.id <> NEW.id
          AND ${SAME_PATIENT.registration} AND other.status <= ${lastHoldingStatus} AND ${overlapping(bounds)})
        OR EXISTS (SELECT 1 FROM appointment AS other WHERE other.center_id = NEW.center_id AND other.id <> NEW.id
          AND ${SAME_PATIENT.phone} AND other.status <= ${lastHoldingStatus} AND ${overlapping(bounds)})
      THEN RAISE EXCEPTION USING ERRCODE = 'exclusion_violation', CONSTRAINT = '${PATIENT_OVERLAP}';
      END IF; RETURN NEW;`,
    ),
    `CREATE TRIGGER ${PATIENT_OVERLAP} BEFORE INSERT OR UPDATE ON appointment FOR EACH ROW
      WHEN (NEW.status <= ${lastHoldingStatus}) EXECUTE FUNCTION ${PATIENT_OVERLAP}()`,
  ];
  for (const text of statements) await sql.raw(text).execute(db);
};
