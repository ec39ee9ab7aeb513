import { BEYOND_CAPACITY, IS_HOLDING, SEAT_TAKEN, STAYS_IN_PLACE } from './0001-guards.ts';
import type { Step } from './step.ts';

export const GUARD = 'appointment_beside_overlap';

/** Wherever overlaps were imported, the appointments at a time are counted. */
export const BESIDE_OVERLAP = `CREATE OR REPLACE FUNCTION ${GUARD}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.overlapping = 1 THEN RETURN NEW; END IF;
    IF TG_OP = 'UPDATE' THEN
      IF ${STAYS_IN_PLACE} THEN RETURN NEW; END IF;
    END IF;
    IF ${BEYOND_CAPACITY} THEN RAISE EXCEPTION 'No place of the doctor is free at this time, beside an appointment that overlaps others'
      USING ERRCODE = 'exclusion_violation', CONSTRAINT = '${SEAT_TAKEN}'; END IF;
    RETURN NEW;
  END $$`;

/**
 * Whether a patient's appointments overlap is no longer the database's to decide: a booking looks for them in its transaction, under the lock
 * of the patient's name. Nobody else may get the seat of an appointment, whichever program writes: those guards stay.
 */
export const WITHOUT_PATIENT_GUARD: Step = {
  statements: (engine) =>
    engine === 'sqlite'
      ? ['insert', 'update'].map((event) => `DROP TRIGGER appointment_patient_on_${event}`)
      : [
          `DROP TRIGGER appointment_patient_in_one_place ON appointment`,
          `DROP FUNCTION appointment_patient_in_one_place()`,
          BESIDE_OVERLAP,
          `CREATE TRIGGER ${GUARD} BEFORE INSERT OR UPDATE ON appointment FOR EACH ROW WHEN (${IS_HOLDING})
    EXECUTE FUNCTION ${GUARD}()`,
        ],
};
