import { writeWeekdays } from '../rules/weekdays.ts';
import type { GivenData } from './given-data.ts';
import { doctorRowKey, type HospitalState } from './hospital-state.ts';
import { type Place, type Problem, placeText } from './problem.ts';
import type { GivenRow, NamedRow } from './read-table-file.ts';
import type { RowOfTable } from './tables.ts';

/** Conflicts of rows that are valid by themselves: with each other, in any file, or with the database. */
export function checkReferences(given: GivenData, state: HospitalState): Problem[] {
  const problems = [
    ...repeated(given.named('centers'), ({ id }) => id && `${id}`, 'centerid'),
    ...repeated(given.named('doctors'), ({ centerId, id }) => centerId && id && doctorRowKey(centerId, id), 'DoctorID'),
    ...repeated(
      given.named('appointments'),
      ({ centerId, id }) => centerId && id && `${centerId}/${id}`,
      'AppointmentID',
    ),
    ...repeated(given.named('feedback'), ({ id }) => id && `${id}`, 'FeedbackID'),
    ...repeated(given.named('templates'), ({ tempid }) => tempid && `${tempid}`, 'tempid'),
    ...overlaps(given.rows('opening-hours'), hoursSpans),
    ...overlaps(given.rows('leave'), leaveSpans),
  ];
  // A file that cannot be read may contain what seems to be missing.
  return given.isWhole ? [...problems, ...unknownCenters(given, state), ...unknownDoctors(given, state)] : problems;
}

/** `keyOf` returns undefined for a row whose key could not be read. */
function repeated<Row>(
  rows: readonly NamedRow<Row>[],
  keyOf: (row: Partial<Row>) => string | 0 | undefined,
  column: string,
): Problem[] {
  const first = new Map<string, Place>();
  return rows.flatMap(({ row, place }) => {
    const key = keyOf(row);
    if (!key) return [];
    const earlier = first.get(key);
    if (earlier === undefined) {
      first.set(key, place);
      return [];
    }
    const value = key.split('/').at(-1);
    return [{ ...place, column, value, message: `is already given in ${placeText(earlier)}; expected it once` }];
  });
}

function unknownCenters(given: GivenData, { centers }: HospitalState): Problem[] {
  const known = new Set<unknown>([...centers.map(({ id }) => id), ...given.named('centers').map(({ row }) => row.id)]);
  return given
    .rows('doctors')
    .filter(({ row }) => !known.has(row.centerId))
    .map(({ row, place }) => ({
      ...place,
      column: 'centerid',
      value: `${row.centerId}`,
      message: 'is not a center of the database or of these files; expected one that is',
    }));
}

function unknownDoctors(given: GivenData, { doctors }: HospitalState): Problem[] {
  const known = new Set([
    ...doctors.map(({ centerId, id }) => doctorRowKey(centerId, id)),
    ...given.named('doctors').map(({ row: { centerId = 0, id = 0 } }) => doctorRowKey(centerId, id)),
  ]);
  return [...given.rows('opening-hours'), ...given.rows('leave'), ...given.rows('appointments')]
    .filter(({ row }) => !known.has(doctorRowKey(row.centerId, row.doctorId)))
    .map(({ row, place }) => ({
      ...place,
      column: 'DoctorID',
      value: `${row.doctorId}`,
      message: `is not a doctor of center ${row.centerId} in the database or in these files; expected one that is`,
    }));
}

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
  return (days ?? []).map((day) => ({
    kind: writeWeekdays([day]),
    from: from ?? 0,
    to: to ?? 0,
    ...valid,
  }));
}

const leaveSpans = ({ from, to }: RowOfTable<'leave'>): Span[] =>
  from === null || to === null ? [] : [{ kind: '', from, to, ...ALWAYS }];

/** Rows of one doctor that overlap, and rows in addition to a row that says that there are none. */
function overlaps<Row extends { readonly centerId: number; readonly doctorId: number; readonly from: number | null }>(
  rows: readonly GivenRow<Row>[],
  spansOf: (row: Row) => Span[],
): Problem[] {
  return [...Map.groupBy(rows, ({ row }) => doctorRowKey(row.centerId, row.doctorId)).values()].flatMap((ofDoctor) => {
    const none = ofDoctor.find(({ row }) => row.from === null);
    if (none !== undefined && ofDoctor.length > 1) {
      const other = ofDoctor.find((row) => row !== none) ?? none;
      const message = `says that doctor ${none.row.doctorId} has none; expected no other row of the doctor, as in ${placeText(other.place)}`;
      return [{ ...none.place, message }];
    }
    const spans = ofDoctor.flatMap(({ row, place }) =>
      spansOf(row).map((span) => ({ ...span, place, id: row.doctorId })),
    );
    return [...Map.groupBy(spans, ({ kind }) => kind).values()].flatMap(overlapsOfKind);
  });
}

type PlacedSpan = Span & { readonly place: Place; readonly id: number };

/** Each span is compared with those that began before it and have not ended. */
function overlapsOfKind(spans: readonly PlacedSpan[]): Problem[] {
  const running = new Set<PlacedSpan>();
  return spans
    .toSorted((a, b) => a.from - b.from)
    .flatMap((span) => {
      for (const earlier of running) {
        if (earlier.to <= span.from) running.delete(earlier);
      }
      const other = [...running].find((r) => r.validFrom <= span.validTo && span.validFrom <= r.validTo);
      running.add(span);
      if (other === undefined) return [];
      // The later row is the one to report.
      const [first, second] = isBefore(span.place, other.place) ? [span, other] : [other, span];
      const day = span.kind === '' ? '' : ` on ${span.kind}`;
      const message = `overlaps ${placeText(first.place)}${day}, for doctor ${span.id}; expected ranges that do not overlap`;
      return [{ ...second.place, column: 'From', message }];
    });
}

const isBefore = (a: Place, b: Place): boolean => a.file === b.file && (a.line ?? 0) < (b.line ?? 0);
