import { LAST_HOLDING_STATUS, LONGEST_SPAN } from './0001-tables.ts';

/*
 * Overbooking is impossible in the database itself, whichever program writes to it: among the appointments that occupy their slot, no two of
 * one doctor share a seat at the same time. The guard against two of one patient at a time is history: step 0002 drops it.
 *
 * An appointment that was imported although it overlaps others (`overlapping`) is exempt when it is inserted, and has a seat of its own beyond
 * the doctor's capacity, so that the guard of seats applies to it too. However, once another appointment frees its seat, that guard would
 * allow a new one there, next to the overlapping ones. Therefore, wherever there is one of those, the appointments at that time are counted.
 *
 * In the SQL for both databases, `NEW` is the appointment that is inserted or updated, and `OLD` what it was.
 */

/** What refuses a row: names of constraints on PostgreSQL, messages on SQLite. */
export const SEAT_TAKEN = 'appointment_seat_held_once';
const PATIENT_OVERLAP = 'appointment_patient_in_one_place';

export const IS_HOLDING = `NEW.status <= ${LAST_HOLDING_STATUS}`;

/** Another appointment in the center that occupies its slot. */
const OTHER = `other.center_id = NEW.center_id AND other.id <> NEW.id AND other.status <= ${LAST_HOLDING_STATUS}`;

/** The first condition lets an index scan start where an overlap becomes possible. */
const OVERLAPPING = `other.start_wall_minute > NEW.start_wall_minute - ${LONGEST_SPAN}
    AND other.start_wall_minute < NEW.end_wall_minute AND other.end_wall_minute > NEW.start_wall_minute`;

const anyOther = (condition: string): string =>
  `EXISTS (SELECT 1 FROM appointment AS other WHERE ${OTHER} AND ${condition} AND ${OVERLAPPING})`;

const OF_DOCTOR = 'other.doctor_id = NEW.doctor_id';
const SAME_SEAT = `${OF_DOCTOR} AND other.seat = NEW.seat`;

const ageInDays = (row: string): string =>
  `${row}.age_value * CASE ${row}.age_unit WHEN 'Y' THEN 365.25 WHEN 'M' THEN 30.4375 WHEN 'W' THEN 7 ELSE 1 END`;

/** Whether both belong to the same patient, as `isSamePatient` in `vocabulary/patients.ts` said when this step was released. */
const SAME_PATIENT = `other.name_key = NEW.name_key
    AND (other.registration_key = NEW.registration_key
      OR (other.phone = NEW.phone AND (other.registration_key IS NULL OR NEW.registration_key IS NULL)))
    AND other.sex || NEW.sex NOT IN ('MF', 'FM')
    AND coalesce(abs(${ageInDays('other')} - ${ageInDays('NEW')}), 0) <= 730.5`;

/**
 * Whether the doctor's capacity would be exceeded at a time that an overlapping appointment occupies. The number of concurrent appointments
 * is greatest at the start of `NEW`, or at the start of an appointment within it.
 */
export const BEYOND_CAPACITY = `${anyOther(`other.overlapping = 1 AND ${OF_DOCTOR}`)}
  AND EXISTS (
    SELECT 1 FROM (
      SELECT NEW.start_wall_minute AS minute
      UNION ALL
      SELECT other.start_wall_minute FROM appointment AS other
      WHERE ${OTHER} AND ${OF_DOCTOR}
        AND other.start_wall_minute > NEW.start_wall_minute AND other.start_wall_minute < NEW.end_wall_minute
    ) AS moment
    WHERE (
      SELECT count(*) FROM appointment AS other
      WHERE ${OTHER} AND ${OF_DOCTOR} AND other.start_wall_minute > moment.minute - ${LONGEST_SPAN}
        AND other.start_wall_minute <= moment.minute AND other.end_wall_minute > moment.minute
    ) >= (SELECT capacity FROM doctor WHERE doctor.center_id = NEW.center_id AND doctor.id = NEW.doctor_id)
  )`;

/** An update that leaves the occupied time as it is cannot take any from another appointment. The seat has a guard of its own. */
export const STAYS_IN_PLACE = `(OLD.status <= ${LAST_HOLDING_STATUS} AND OLD.center_id = NEW.center_id AND OLD.doctor_id = NEW.doctor_id
    AND OLD.start_wall_minute = NEW.start_wall_minute AND OLD.end_wall_minute = NEW.end_wall_minute)`;

/** An update that leaves slot and patient as they are cannot make the patient's appointments overlap. */
const STAYS_THE_PATIENTS = `(${[
  STAYS_IN_PLACE,
  ...['name_key', 'phone', 'registration_key', 'sex', 'age_value', 'age_unit'].map(
    (column) => `OLD.${column} IS NOT DISTINCT FROM NEW.${column}`,
  ),
].join(' AND ')})`;

/**
 * SQLite has no exclusion constraints, so triggers replace them. This is safe because SQLite runs one writer at a time: a trigger sees
 * every row that any process committed before its statement.
 */
const sqliteGuard = (name: string, message: string, condition: string, exempt: { insert: string; update: string }) =>
  (['insert', 'update'] as const).map(
    (event) => `CREATE TRIGGER ${name}_on_${event} BEFORE ${event.toUpperCase()} ON appointment
  WHEN ${IS_HOLDING} AND NOT ${exempt[event]} AND ${condition}
  BEGIN SELECT RAISE(ABORT, '${message}'); END`,
  );

const NONE_EXEMPT = { insert: '0', update: '0' };
const IS_OVERLAPPING = '(NEW.overlapping = 1)';

export const SQLITE_GUARDS: readonly string[] = [
  ...sqliteGuard('appointment_seat', SEAT_TAKEN, anyOther(SAME_SEAT), NONE_EXEMPT),
  ...sqliteGuard('appointment_patient', PATIENT_OVERLAP, anyOther(SAME_PATIENT), {
    insert: IS_OVERLAPPING,
    update: STAYS_THE_PATIENTS,
  }),
  ...sqliteGuard('appointment_beside_overlap', SEAT_TAKEN, BEYOND_CAPACITY, {
    insert: IS_OVERLAPPING,
    update: STAYS_IN_PLACE,
  }),
];

const refuse = (constraint: string): string =>
  `RAISE EXCEPTION USING ERRCODE = 'exclusion_violation', CONSTRAINT = '${constraint}';`;

export const POSTGRES_GUARDS: readonly string[] = [
  // Allows one index to contain both integers and ranges. Any owner of a database may add this extension.
  'CREATE EXTENSION IF NOT EXISTS btree_gist',
  `ALTER TABLE appointment ADD CONSTRAINT ${SEAT_TAKEN} EXCLUDE USING gist
    (center_id WITH =, doctor_id WITH =, seat WITH =, int8range(start_wall_minute, end_wall_minute) WITH &&)
    WHERE (status <= ${LAST_HOLDING_STATUS})`,
  `CREATE FUNCTION ${PATIENT_OVERLAP}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF TG_OP = 'INSERT' THEN
      IF NEW.overlapping = 1 THEN RETURN NEW; END IF;
    ELSIF ${STAYS_THE_PATIENTS} THEN RETURN NEW;
    END IF;
    IF ${anyOther(SAME_PATIENT)} THEN ${refuse(PATIENT_OVERLAP)} END IF;
    IF TG_OP = 'UPDATE' THEN
      IF ${STAYS_IN_PLACE} THEN RETURN NEW; END IF;
    END IF;
    IF ${BEYOND_CAPACITY} THEN ${refuse(SEAT_TAKEN)} END IF;
    RETURN NEW;
  END $$`,
  `CREATE TRIGGER ${PATIENT_OVERLAP} BEFORE INSERT OR UPDATE ON appointment FOR EACH ROW
    WHEN (${IS_HOLDING}) EXECUTE FUNCTION ${PATIENT_OVERLAP}()`,
];
