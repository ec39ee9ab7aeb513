import { lengthOf, MINUTES_PER_DAY } from '../vocabulary/appointments.ts';
import { ERASED_NAME } from '../vocabulary/patients.ts';
import type { StoredAppointment, StoredFeedback } from '../vocabulary/stored-records.ts';
import { withLineFeeds } from '../vocabulary/text.ts';
import { realMinutes } from '../vocabulary/time-zone.ts';
import { minuteOfDay } from '../vocabulary/wall-minute.ts';
import { instantText } from './cell-types.ts';
import { type RowOfTable, TABLES, type TableName } from './tables.ts';

/** An appointment as a row of its file; `zone` is the time zone of its center. */
export function appointmentRow(a: StoredAppointment, zone: string): RowOfTable<'appointments'> {
  const [minute, length] = [minuteOfDay(a.startsAt), lengthOf(a)];
  return {
    ...a,
    day: a.startsAt - minute,
    minute,
    endMinute: a.endsAt % MINUTES_PER_DAY,
    minutes: a.minutes === null && realMinutes(a.startsAt, a.endsAt, zone) === length ? null : length,
    RegistrationNumber: a.registrationNumber,
    Name: a.name ?? ERASED_NAME,
    Sex: a.sexText ?? a.sex,
    Age: a.ageText,
    contactnumber: a.phone,
    overlapping: a.overlapping === 0 ? null : a.overlapping,
    createdOn: instantText(a.createdOn, zone),
    updatedOn: instantText(a.updatedOn, zone),
  };
}

/** Feedback as a row of its file; `zone` is the time zone of times that do not belong to a center. */
export const feedbackRow = (
  { receivedOn, updatedOn, ...feedback }: StoredFeedback,
  zone: string,
): RowOfTable<'feedback'> => ({
  ...feedback,
  inpatientNumber: feedback.inpatientNumber ?? ERASED_NAME,
  receivedOn: instantText(receivedOn, zone),
  updatedOn: instantText(updatedOn, zone),
});

/**
 * Titles of the columns in which the record that was read from a row differs from the stored one with its number. `cells` is the row, and
 * `missing` names the values for which its file has no column.
 */
export function differingColumns<Name extends TableName>(
  table: Name,
  cells: object,
  missing: readonly string[],
  read: RowOfTable<Name>,
  stored: RowOfTable<Name>,
): readonly string[] {
  const valueIn = (row: object, name: string) => (row as Readonly<Record<string, unknown>>)[name];
  return Object.entries(TABLES[table].columns).flatMap(([name, { title, type, inHeader, isPersonal }]) => {
    // The import fills in such a cell itself.
    const isFilledIn = !inHeader && isPersonal !== true && valueIn(cells, name) === null;
    const [now, before] = [comparable(valueIn(read, name)), comparable(valueIn(stored, name))];
    if (missing.includes(name) || isFilledIn || name === 'overlapping' || now === before) return [];
    if (isPersonal === true) return [title];
    return [`${title} (${before === null ? 'none' : type.write(before)} is stored)`];
  });
}

const comparable = (value: unknown): unknown => (typeof value === 'string' ? withLineFeeds(value) : value);
