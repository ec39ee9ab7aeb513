import { formatClock } from '../vocabulary/wall-minute.ts';
import { writeWeekdays } from '../vocabulary/weekdays.ts';
import type { ImportFiles } from './import-files.ts';
import { changesIn, keyOf, keyTitles, type ReferenceRows, type RowChange, weekdaysOf } from './imported-rows.ts';
import { type Place, type Problem, placeText } from './problem.ts';
import type { FileRow } from './read-table.ts';

interface OfDoctor {
  readonly centerId: number;
  /** Null for all doctors of the center. */
  readonly doctorId: number | null;
}

/** Conflicts of rows that are valid by themselves: with each other, in any file, or with the database. */
export function* checkReferences(files: ImportFiles, state: ReferenceRows): Generator<Problem> {
  for (const table of ['centers', 'doctors', 'templates'] as const) yield* repeated(table, files.rows(table));
  for (const [rows, column] of [
    [files.records.appointments.repeated(), 'AppointmentID'],
    [files.records.feedback.repeated(), 'FeedbackID'],
  ] as const) {
    for (const { repeated, first } of rows) yield repetition(repeated.place, column, `${repeated.row.id}`, first.place);
  }
  yield* overlaps(files.rows('opening-hours'), weekdaysOf);
  // Leave may overlap.
  yield* overlaps(files.rows('leave'), () => []);
  const centers = knownKeys('centers', files, state);
  const ofCenters = files.rows('leave').filter(({ row }) => row.doctorId === null);
  for (const { row, place } of [...files.rows('doctors'), ...ofCenters]) {
    if (centers.has(keyOf('centers', { id: row.centerId }))) continue;
    const message = 'is not a center of the database or of these files; expected one that is';
    yield { ...place, column: 'centerid', value: `${row.centerId}`, message };
  }
  const doctors = knownKeys('doctors', files, state);
  for (const { row, place } of [...files.rows('opening-hours'), ...files.rows('leave')]) {
    const key = keyOf('doctors', { centerId: row.centerId, id: row.doctorId });
    if (row.doctorId !== null && !doctors.has(key)) yield unknownDoctor(row, place);
  }
}

function* repeated(table: 'centers' | 'doctors' | 'templates', rows: readonly FileRow<object>[]): Generator<Problem> {
  const first = new Map<string, Place>();
  const column = keyTitles(table).at(-1) ?? '';
  for (const { row, place } of rows) {
    const key = keyOf(table, row);
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, place);
    else yield repetition(place, column, `${key.split('/').at(-1)}`, earlier);
  }
}

const repetition = (place: Place, column: string, value: string, earlier: Place): Problem => ({
  ...place,
  column,
  value,
  message: `is already given in ${placeText(earlier)}; expected it once`,
});

/** The keys of the rows that are in the database or in a file. */
const knownKeys = (table: 'centers' | 'doctors', files: ImportFiles, state: ReferenceRows): ReadonlySet<string> =>
  new Set([...state[table], ...files.rows(table).map(({ row }) => row)].map((row) => keyOf(table, row)));

export const unknownDoctor = ({ centerId, doctorId }: OfDoctor, place: Place): Problem => ({
  ...place,
  column: 'DoctorID',
  value: `${doctorId}`,
  message: `is not a doctor of center ${centerId} in the database or in these files; expected one that is`,
});

/**
 * Hours in which nobody can be booked, because no slot of the doctor fits, or none into their rest: those of the files, and the stored ones of
 * doctors who change.
 */
export function* checkHours(
  files: ImportFiles,
  { doctors, 'opening-hours': hours }: ReferenceRows,
  changes: readonly RowChange[],
): Generator<Problem> {
  const doctorOf = ({ centerId, doctorId }: OfDoctor): string => keyOf('doctors', { centerId, id: doctorId });
  const slots = new Map(doctors.map((doctor) => [keyOf('doctors', doctor), doctor.slotMinutes]));
  const written = files.rows('opening-hours').map(({ row, place }) => ({ row, place, column: 'To' }));
  const stored = Map.groupBy(hours, doctorOf);
  for (const { row } of written) stored.delete(doctorOf(row));
  const changed = new Set(changesIn(changes, 'doctors').map(({ after = {} }) => keyOf('doctors', after)));
  const ofChanged = files.rows('doctors').flatMap(({ row: doctor, place }) => {
    const key = keyOf('doctors', doctor);
    return (changed.has(key) ? (stored.get(key) ?? []) : []).map((row) => ({ row, place, column: 'SlotMinutes' }));
  });
  for (const { row, place, column } of [...written, ...ofChanged]) {
    const { days, from, to, doctorId } = row;
    const minutes = slots.get(doctorOf(row)) ?? 1;
    const rest = ((to ?? 0) - (from ?? 0)) % minutes;
    if (days === null || to === null || rest === 0) continue;
    const span = `from ${formatClock(to - rest)} to ${formatClock(to)} on ${writeWeekdays(days)}`;
    const message = `nobody can be booked with doctor ${doctorId} ${span}, because the slots take ${minutes} minutes; the hours are imported as they are`;
    yield { ...place, column, message };
  }
}

/** Time that a row assigns to a doctor: half-open, on one day of the week, from one ISO day to another if it has them. */
interface Span {
  readonly weekday: number;
  readonly from: number;
  readonly to: number;
  readonly validFrom?: string | null;
  readonly validTo?: string | null;
}

const overlap = (a: Span, b: Span): boolean =>
  a.weekday === b.weekday && a.from < b.to && b.from < a.to && isFirstValid(a, b) && isFirstValid(b, a);

const isFirstValid = (a: Span, b: Span): boolean => (a.validFrom ?? '') <= (b.validTo ?? '9999');

/** Rows of one doctor that overlap an earlier one, and rows in addition to a row that says that there are none. */
function* overlaps<Row extends OfDoctor & { readonly from: number | null }>(
  rows: readonly FileRow<Row>[],
  spansOf: (row: Row) => readonly Span[],
): Generator<Problem> {
  for (const ofDoctor of Map.groupBy(rows, ({ row }) => `${row.centerId}/${row.doctorId}`).values()) {
    const none = ofDoctor.find(({ row }) => row.from === null);
    const other = ofDoctor.find((row) => row !== none);
    if (none !== undefined && other !== undefined) {
      const message = `says that ${none.row.doctorId === null ? `center ${none.row.centerId}` : `doctor ${none.row.doctorId}`} has none; expected no other such row, as in ${placeText(other.place)}`;
      yield { ...none.place, message };
      continue;
    }
    const earlier: (Span & { readonly place: Place })[] = [];
    for (const { row, place } of ofDoctor) {
      const spans = spansOf(row).map((span) => ({ ...span, place }));
      for (const span of spans) {
        const overlapped = earlier.find((one) => overlap(one, span));
        if (overlapped === undefined) continue;
        const day = ` on ${writeWeekdays([span.weekday])}`;
        const message = `overlaps ${placeText(overlapped.place)}${day}, for doctor ${row.doctorId}; expected ranges that do not overlap`;
        yield { ...place, column: 'From', message };
      }
      earlier.push(...spans);
    }
  }
}
