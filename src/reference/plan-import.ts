import type { ImportFiles } from './import-files.ts';
import { hoursRows, keyOf, type ReferenceRows, type RowChange, weekdaysOf } from './imported-rows.ts';
import { cellsOf, REFERENCE_TABLE_NAMES, type ReferenceTableName, type RowOfTable } from './tables.ts';

export type ImportPlan = Readonly<ReturnType<typeof planImport>>;

export interface ImportOptions {
  /** IANA name, for centers without a zone of their own, and for times that belong to no center. */
  readonly timeZone: string;
  /** Instant, ms. */
  readonly now: number;
  readonly dryRun?: boolean;
  readonly replaceDemo?: boolean;
  /** Make doctors inactive who are not in the files, in centers for which the files name doctors. */
  readonly deactivate?: boolean;
  /** Import appointments that overlap others, and mark them. */
  readonly allowOverlaps?: boolean;
}

interface OfDoctor {
  readonly centerId?: number;
  readonly doctorId?: number | null;
}

/**
 * The changes that make the database agree with the files. Centers and templates are added or changed. Doctors who are not in the files
 * stay as they are unless `deactivate` is set, because a truncated file must not close a clinic. For the doctors named in files of opening
 * hours and leave, these are replaced by those in the files. Values for which a file has no column stay as they are. `removed` is removed
 * first.
 */
export function planImport(
  files: ImportFiles,
  state: ReferenceRows,
  { timeZone, deactivate }: ImportOptions,
  removed: ReferenceRows,
) {
  const centers = completed(files, 'centers', state).map((row) => ({ ...row, timeZone: row.timeZone ?? timeZone }));
  const doctors = completed(files, 'doctors', state);
  const named = new Set(doctors.map(({ centerId }) => centerId));
  const present = new Set(doctors.map((doctor) => keyOf('doctors', doctor)));
  const leftOut = state.doctors.filter(
    (doctor) => doctor.active !== 0 && named.has(doctor.centerId) && !present.has(keyOf('doctors', doctor)),
  );
  const withdrawn = deactivate ? leftOut.map((doctor) => ({ ...doctor, active: 0 })) : [];
  const hours = files.rows('opening-hours').map(({ row }) => row);
  const leaves = files.rows('leave').map(({ row }) => row);
  const rows: ReferenceRows = {
    centers,
    doctors: [...doctors, ...withdrawn],
    'opening-hours': hoursRows(hours.flatMap(weekdaysOf)),
    leave: united(leaves.filter(({ from }) => from !== null)),
    templates: completed(files, 'templates', state),
  };
  const replaced: { readonly [Name in ReferenceTableName]?: readonly OfDoctor[] } = {
    'opening-hours': hours,
    leave: leaves,
  };
  return {
    /** Doctors who remain active although the files name their center but not them. */
    leftOut: deactivate ? [] : leftOut,
    /** In the order of the tables. */
    changes: REFERENCE_TABLE_NAMES.flatMap((table): readonly RowChange[] => [
      ...removed[table].map((before) => ({ table, before })),
      ...changesOf(table, rows[table], state[table], replaced[table] ?? []),
    ]),
  };
}

/** Leave that overlaps is one leave, such as a holiday within a vacation. */
function united(leaves: readonly RowOfTable<'leave'>[]): readonly RowOfTable<'leave'>[] {
  const all: RowOfTable<'leave'>[] = [];
  for (const leave of leaves.toSorted((a, b) => (a.from ?? 0) - (b.from ?? 0))) {
    const at = all.findLastIndex((one) => one.centerId === leave.centerId && one.doctorId === leave.doctorId);
    const before = all[at];
    if (before === undefined || (leave.from ?? 0) >= (before.to ?? 0)) all.push(leave);
    else all[at] = { ...before, to: Math.max(before.to ?? 0, leave.to ?? 0) };
  }
  return all;
}

/** The rows of a table's files. In a row that is already stored, values for which its file has no column are those of the stored row. */
function completed<Name extends ReferenceTableName>(files: ImportFiles, table: Name, state: ReferenceRows) {
  const known = new Map(state[table].map((row) => [keyOf(table, row), row as Readonly<Record<string, unknown>>]));
  return files.rows(table).map(({ row, place }): RowOfTable<Name> => {
    const before = known.get(keyOf(table, row));
    const kept = before === undefined ? [] : files.missingIn(place.file).map((name) => [name, before[name]]);
    return { ...row, ...Object.fromEntries(kept) };
  });
}

/** `replaced`: if rows of a doctor belong together, the doctors whose other rows are removed. */
function changesOf(
  table: ReferenceTableName,
  rows: readonly object[],
  stored: readonly object[],
  replaced: readonly OfDoctor[],
): readonly RowChange[] {
  const doctorOf = ({ centerId, doctorId }: OfDoctor): string => `${centerId}/${doctorId}`;
  const doctors = new Set(replaced.map(doctorOf));
  const known = new Map(stored.map((row) => [keyOf(table, row), row]));
  const keys = new Set(rows.map((row) => keyOf(table, row)));
  const rowText = (row: object): string => JSON.stringify(cellsOf(table, row as never));
  const gone = stored.filter((row) => doctors.has(doctorOf(row)) && !keys.has(keyOf(table, row)));
  const changes = rows.flatMap((after) => {
    const before = known.get(keyOf(table, after));
    if (before === undefined) return [{ after }];
    return rowText(before) === rowText(after) ? [] : [{ before, after }];
  });
  return [...gone.map((before) => ({ before })), ...changes].map((change) => ({ table, ...change }) as RowChange);
}
