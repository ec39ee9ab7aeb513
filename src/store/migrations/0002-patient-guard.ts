import { BEYOND_CAPACITY, IS_HOLDING, refuse, SEAT_TAKEN, STAYS_IN_PLACE } from './0001-guards.ts';
import type { Step } from './step.ts';

const GUARD = 'appointment_beside_overlap';

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
          `CREATE FUNCTION ${GUARD}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF TG_OP = 'INSERT' THEN
      IF NEW.overlapping = 1 THEN RETURN NEW; END IF;
    ELSIF ${STAYS_IN_PLACE} THEN RETURN NEW;
    END IF;
    IF ${BEYOND_CAPACITY} THEN ${refuse(SEAT_TAKEN)} END IF;
    RETURN NEW;
  END $$`,
          `CREATE TRIGGER ${GUARD} BEFORE INSERT OR UPDATE ON appointment FOR EACH ROW WHEN (${IS_HOLDING})
    EXECUTE FUNCTION ${GUARD}()`,
        ],
};
