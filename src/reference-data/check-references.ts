import { writeWeekdays } from '../rules/weekdays.ts';
import { doctorRowKey, type HospitalState } from './hospital-state.ts';
import type { ImportFiles } from './import-files.ts';
import { type Place, type Problem, placeText } from './problem.ts';
import type { FileRow } from './read-table.ts';
import type { RowOfTable } from './tables.ts';

/** Conflicts of rows that are valid by themselves: with each other, in any file, or with the database. */
export function* checkReferences(files: ImportFiles, state: HospitalState): Generator<Problem> {
  yield* repeated(files.allRows('centers'), ['id'], 'centerid');
  yield* repeated(files.allRows('doctors'), ['centerId', 'id'], 'DoctorID');
  yield* repeated(files.allRows('templates'), ['tempid'], 'tempid');
  for (const [rows, column] of [
    [files.records.appointments.repeated(), 'AppointmentID'],
    [files.records.feedback.repeated(), 'FeedbackID'],
  ] as const) {
    for (const { file, line, id, firstFile, firstLine } of rows) {
      yield repetition({ file, line }, column, `${id}`, { file: firstFile, line: firstLine });
    }
  }
  yield* overlaps(files.rows('opening-hours'), hoursSpans);
  yield* overlaps(files.rows('leave'), leaveSpans);
  yield* unknownCenters(files, state);
  const isKnown = knownDoctors(files, state);
  for (const { row, place } of [...files.rows('opening-hours'), ...files.rows('leave')]) {
    if (!isKnown(row)) yield unknownDoctor(row, place);
  }
}

function* repeated<Row>(
  rows: readonly FileRow<Row>[],
  key: readonly (keyof Row)[],
  column: string,
): Generator<Problem> {
  const first = new Map<string, Place>();
  for (const { row, place } of rows) {
    const values = key.map((name) => row[name]);
    // The key of this row could not be read.
    if (values.includes(undefined as never)) continue;
    const earlier = first.get(values.join('/'));
    if (earlier === undefined) first.set(values.join('/'), place);
    else yield repetition(place, column, `${values.at(-1)}`, earlier);
  }
}

const repetition = (place: Place, column: string, value: string, earlier: Place): Problem => ({
  ...place,
  column,
  value,
  message: `is already given in ${placeText(earlier)}; expected it once`,
});

function* unknownCenters(files: ImportFiles, { centers }: HospitalState): Generator<Problem> {
  // A file that cannot be read may contain what seems to be missing.
  if (!files.isWhole) return;
  const known = new Set<unknown>([
    ...centers.map(({ id }) => id),
    ...files.allRows('centers').map(({ row }) => row.id),
  ]);
  for (const { row, place } of files.rows('doctors')) {
    if (known.has(row.centerId)) continue;
    const message = 'is not a center of the database or of these files; expected one that is';
    yield { ...place, column: 'centerid', value: `${row.centerId}`, message };
  }
}

interface OfDoctor {
  readonly centerId: number;
  readonly doctorId: number;
}

/** Whether a doctor is in the database or may be in a file. */
export function knownDoctors(files: ImportFiles, { doctors }: HospitalState): (row: OfDoctor) => boolean {
  const known = new Set([
    ...doctors.map(({ centerId, id }) => doctorRowKey(centerId, id)),
    ...files.allRows('doctors').map(({ row: { centerId = 0, id = 0 } }) => doctorRowKey(centerId, id)),
  ]);
  return ({ centerId, doctorId }) => !files.isWhole || known.has(doctorRowKey(centerId, doctorId));
}

export const unknownDoctor = ({ centerId, doctorId }: OfDoctor, place: Place): Problem => ({
  ...place,
  column: 'DoctorID',
  value: `${doctorId}`,
  message: `is not a doctor of center ${centerId} in the database or in these files; expected one that is`,
});

/** Time that a row assigns to a doctor: half-open, of one kind. */
interface Span {
  readonly kind: string;
  readonly from: number;
  readonly to: number;
  /** ISO days, inclusive. */
  readonly validFrom: string;
  readonly validTo: string;
}

const ALWAYS = { validFrom: '', validTo: '9999' };

function hoursSpans({ days, from, to, validFrom, validTo }: RowOfTable<'opening-hours'>): Span[] {
  const valid = { validFrom: validFrom ?? ALWAYS.validFrom, validTo: validTo ?? ALWAYS.validTo };
  return (days ?? []).map((day) => ({ kind: ` on ${writeWeekdays([day])}`, from: from ?? 0, to: to ?? 0, ...valid }));
}

const leaveSpans = ({ from, to }: RowOfTable<'leave'>): Span[] =>
  from === null || to === null ? [] : [{ kind: '', from, to, ...ALWAYS }];

/** Rows of one doctor that overlap an earlier one, and rows in addition to a row that says that there are none. */
function* overlaps<Row extends OfDoctor & { readonly from: number | null }>(
  rows: readonly FileRow<Row>[],
  spansOf: (row: Row) => Span[],
): Generator<Problem> {
  for (const ofDoctor of Map.groupBy(rows, ({ row }) => doctorRowKey(row.centerId, row.doctorId)).values()) {
    const none = ofDoctor.find(({ row }) => row.from === null);
    const other = ofDoctor.find((row) => row !== none);
    if (none !== undefined && other !== undefined) {
      const message = `says that doctor ${none.row.doctorId} has none; expected no other row of the doctor, as in ${placeText(other.place)}`;
      yield { ...none.place, message };
      continue;
    }
    const earlier: (Span & { readonly place: Place })[] = [];
    for (const { row, place } of ofDoctor) {
      const spans = spansOf(row).map((span) => ({ ...span, place }));
      for (const span of spans) {
        const overlapped = earlier.find((one) => overlap(one, span));
        if (overlapped === undefined) continue;
        const message = `overlaps ${placeText(overlapped.place)}${span.kind}, for doctor ${row.doctorId}; expected ranges that do not overlap`;
        yield { ...place, column: 'From', message };
      }
      earlier.push(...spans);
    }
  }
}

const overlap = (a: Span, b: Span): boolean =>
  a.kind === b.kind && a.from < b.to && b.from < a.to && a.validFrom <= b.validTo && b.validFrom <= a.validTo;
