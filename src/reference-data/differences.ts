import type { StoredAppointment, StoredFeedback } from '../vocabulary/stored-records.ts';
import { appointmentRow, feedbackRow } from './appointment-row.ts';
import { withLineFeeds } from './cell-types.ts';
import type { GivenRow } from './read-table-file.ts';
import { type TableName, tableNamed } from './tables.ts';

/** Columns in which an empty cell has no meaning, because the import fills them in itself. */
const FILLED_IN: readonly string[] = [
  'endMinute',
  'status',
  'tokenNo',
  'rescheduleCount',
  'marked',
  'createdOn',
  'updatedOn',
  'client',
];

/** How an incoming appointment differs from the stored one with its number, as titles of columns; `zone` is the time zone of its center. */
export const differences = (
  { row, unsaid }: GivenRow<object>,
  given: StoredAppointment,
  stored: StoredAppointment,
  zone: string,
): readonly string[] =>
  differing('appointments', row, unsaid, appointmentRow(given, zone), appointmentRow(stored, zone));

/** The same for feedback. */
export const feedbackDifferences = (
  { row, unsaid }: GivenRow<object>,
  given: StoredFeedback,
  stored: StoredFeedback,
  zone: string,
): readonly string[] => differing('feedback', row, unsaid, feedbackRow(given, zone), feedbackRow(stored, zone));

type Cells = Readonly<Record<string, unknown>>;

/** `row` is the row of the file, `given` the record created from it. */
function differing(table: TableName, row: object, unsaid: readonly string[], given: object, stored: object): string[] {
  return Object.entries(tableNamed(table).columns).flatMap(([name, { title, type, isPersonal }]) => {
    const isSaid = !unsaid.includes(name) && !(FILLED_IN.includes(name) && (row as Cells)[name] === null);
    const [now, before] = [comparable((given as Cells)[name]), comparable((stored as Cells)[name])];
    if (!isSaid || name === 'marked' || now === before) return [];
    if (isPersonal === true) return [title];
    return [`${title} (${before === null ? 'none' : type.write(before)} is stored)`];
  });
}

const comparable = (value: unknown): unknown => (typeof value === 'string' ? withLineFeeds(value) : value);
