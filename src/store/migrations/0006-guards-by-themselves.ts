import { BESIDE_OVERLAP, GUARD } from './0002-patient-guard.ts';
import { redefined, type Step } from './step.ts';

const FUNCTIONS = ['count_reference_change', 'audit_event_refuses_change', 'audit_event_refuses_deletion', GUARD];

/** Nobody would ever send, or give up, a message that is being sent for an unlimited time. */
const LEASED = 'CONSTRAINT message_lease CHECK (status <> 2 OR lease_ends_on IS NOT NULL)';

/** What is indexed only where it is looked for, messages that wait and cancelled appointments, and what only commands look for. */
const INDEXES = {
  appointment_by_doctor: '',
  appointment_cancelled_by_doctor: 'appointment (center_id, doctor_id, start_wall_minute) WHERE status = 6',
  message_by_client: 'message (client, status, priority) WHERE status = 1',
  message_by_due: 'message (status, priority, due_on, id) WHERE status = 1',
  message_by_expiry: 'message (status, expires_on) WHERE status = 1',
  audit_event_by_day: '',
  audit_event_by_operation: '',
};

/**
 * The functions of PostgreSQL's triggers find their tables whatever the caller's search_path is, and whatever temporary table has such a name;
 * and what is refused is said in words.
 */
export const GUARDS_BY_THEMSELVES: Step = {
  statements: (engine) => [
    ...Object.entries(INDEXES).flatMap(([index, on]) => [
      `DROP INDEX IF EXISTS ${index}`,
      ...(on === '' ? [] : [`CREATE INDEX ${index} ON ${on}`]),
    ]),
    'UPDATE message SET lease_ends_on = 0 WHERE status = 2 AND lease_ends_on IS NULL',
    ...(engine === 'sqlite'
      ? redefined('message', 'CONSTRAINT message_erased', `${LEASED},\n      CONSTRAINT message_erased`)
      : [
          `ALTER TABLE message ADD ${LEASED}`,
          // Databases of versions between 1.0.0 and this one have it in other words.
          BESIDE_OVERLAP,
          `DO $$ DECLARE name text; BEGIN
    FOREACH name IN ARRAY ARRAY['${FUNCTIONS.join("', '")}'] LOOP
      EXECUTE format('ALTER FUNCTION %I() SET search_path = %I, pg_temp', name, current_schema());
    END LOOP;
  END $$`,
        ]),
  ],
};
