import type { GuardBounds } from './database-differences.ts';

/**
 * Marked appointments (`marked`) have a seat of their own beyond the doctor's capacity, so that the seat guard applies to them too.
 * However, once another appointment frees its seat, that guard would allow a new one there, next to the marked ones. Therefore, wherever
 * there is a marked appointment, the appointments at that time are counted. SQL for both databases; `NEW` is the appointment that is
 * inserted or updated.
 */
export const marksIndex = ({ lastHoldingStatus }: GuardBounds): string =>
  `CREATE INDEX appointment_marked_by_doctor ON appointment (center_id, doctor_id, starts_at) WHERE marked = 1 AND status <= ${lastHoldingStatus}`;

/** Whether `other` and `NEW` overlap. The first condition lets an index scan start where an overlap becomes possible. */
export const overlapping = ({ longestSlot }: GuardBounds): string =>
  `other.starts_at > NEW.starts_at - ${longestSlot} AND other.starts_at < NEW.ends_at AND other.ends_at > NEW.starts_at`;

/** Whether `other` is another appointment with the doctor of `NEW` that occupies its slot. */
const ofDoctor = ({ lastHoldingStatus }: GuardBounds): string =>
  `other.center_id = NEW.center_id AND other.doctor_id = NEW.doctor_id AND other.id <> NEW.id AND other.status <= ${lastHoldingStatus}`;

/**
 * Whether `NEW` would exceed the doctor's capacity at a time that a marked appointment occupies. The number of concurrent appointments is
 * greatest at the start of `NEW`, or at the start of an appointment within it.
 */
export function beyondCapacity(bounds: GuardBounds): string {
  const others = ofDoctor(bounds);
  return `
    EXISTS (SELECT 1 FROM appointment AS other WHERE other.marked = 1 AND ${others} AND ${overlapping(bounds)})
    AND EXISTS (
      SELECT 1 FROM (
        SELECT NEW.starts_at AS minute
        UNION ALL
        SELECT other.starts_at FROM appointment AS other
        WHERE ${others} AND other.starts_at > NEW.starts_at AND other.starts_at < NEW.ends_at
      ) AS moment
      WHERE (
        SELECT count(*) FROM appointment AS other
        WHERE ${others} AND other.starts_at > moment.minute - ${bounds.longestSlot}
          AND other.starts_at <= moment.minute AND other.ends_at > moment.minute
      ) >= (SELECT capacity FROM doctor WHERE doctor.center_id = NEW.center_id AND doctor.id = NEW.doctor_id)
    )`;
}

/** Whether an update leaves the occupied slot unchanged; if so, it cannot take a slot from another appointment. */
export const staysInPlace = ({ lastHoldingStatus }: GuardBounds): string =>
  `(OLD.status <= ${lastHoldingStatus} AND OLD.center_id = NEW.center_id AND OLD.doctor_id = NEW.doctor_id AND OLD.seat = NEW.seat
    AND OLD.starts_at = NEW.starts_at AND OLD.ends_at = NEW.ends_at)`;

/** Whether an update leaves the slot and the patient unchanged; if so, it cannot make the patient's appointments overlap. */
export const staysThePatients = (bounds: GuardBounds): string =>
  `(${staysInPlace(bounds)} AND OLD.name_key = NEW.name_key AND OLD.phone = NEW.phone
    AND OLD.registration_key IS NOT DISTINCT FROM NEW.registration_key)`;
