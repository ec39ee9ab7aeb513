import type { Center, Doctor } from '../store/queries/reference-queries.ts';
import type {
  MessageTemplate,
  NewLeave,
  NewOpeningHours,
  StoredLeave,
  StoredOpeningHours,
} from '../store/queries/reference-table-queries.ts';
import type { Queries } from '../store/store.ts';
import { doctorRowKey, type HospitalState } from './hospital-state.ts';
import type { ImportFiles } from './import-files.ts';
import type { ReferenceTableName, RowOfTable } from './tables.ts';

export interface Changed<Row> {
  readonly before: Row;
  readonly after: Row;
}

/** The changes to one table. */
export interface TableChange<Added, Stored extends Added = Added> {
  readonly added: readonly Added[];
  readonly changed: readonly Changed<Added>[];
  readonly removed: readonly Stored[];
}

/** All changes that an import makes to the reference data. */
export interface ImportPlan {
  readonly centers: TableChange<Center>;
  readonly doctors: TableChange<Doctor>;
  readonly openingHours: TableChange<NewOpeningHours, StoredOpeningHours>;
  readonly leaves: TableChange<NewLeave, StoredLeave>;
  readonly templates: TableChange<MessageTemplate>;
  /** Doctors who remain active although the files name their center but not them. */
  readonly leftOut: readonly Doctor[];
}

export interface PlanOptions {
  /** IANA name, for centers without a zone of their own. */
  readonly timeZone: string;
  /** Whether doctors who are not in the files become inactive, in centers for which the files name doctors. */
  readonly deactivate: boolean;
}

/**
 * The changes that make the database agree with the files. Centers and templates are added or changed. Doctors who are not in the files
 * stay as they are unless `deactivate` is set, because a truncated file must not close a clinic. For the doctors named in files of opening
 * hours and leave, these are replaced by those in the files. Values for which a file has no column stay as they are. `removed` is removed
 * first.
 */
export function planImport(
  files: ImportFiles,
  state: HospitalState,
  { timeZone, deactivate }: PlanOptions,
  removed: HospitalState,
): ImportPlan {
  const centers = completed(files, 'centers', state.centers, centerKey).map((center) => ({
    ...center,
    timeZone: center.timeZone ?? timeZone,
  }));
  const doctors = completed(files, 'doctors', state.doctors, keyOfDoctor);
  const named = new Set(doctors.map(({ centerId }) => centerId));
  const present = new Set(doctors.map(keyOfDoctor));
  const leftOut = state.doctors.filter(
    (doctor) => doctor.active !== 0 && named.has(doctor.centerId) && !present.has(keyOfDoctor(doctor)),
  );
  const withdrawn = deactivate ? leftOut.map((doctor) => ({ ...doctor, active: 0 })) : [];
  const hours = files.rows('opening-hours').map(({ row }) => row);
  const weekly = hours.flatMap(({ days, from, to, ...rest }) =>
    (days ?? []).map((weekday) => ({ ...rest, weekday, from: from ?? 0, to: to ?? 0 })),
  );
  const leaves = files.rows('leave').map(({ row }) => row);
  const absences = leaves.flatMap(({ from, to, ...rest }) =>
    from === null || to === null ? [] : [{ ...rest, from, to }],
  );
  const templates = completed(files, 'templates', state.templates, templateKey);
  return {
    centers: changes(centers, state.centers, centerKey, removed.centers),
    leftOut: deactivate ? [] : leftOut,
    doctors: changes([...doctors, ...withdrawn], state.doctors, keyOfDoctor, removed.doctors),
    openingHours: changes(weekly, state.openingHours, hoursKey, removed.openingHours, hours),
    leaves: changes(absences, state.leaves, leaveKey, removed.leaves, leaves),
    templates: changes(templates, state.templates, templateKey, removed.templates),
  };
}

interface OfDoctor {
  readonly centerId: number;
  readonly doctorId: number;
}

const centerKey = ({ id }: { readonly id: number }): string => `${id}`;
const keyOfDoctor = ({ centerId, id }: { readonly centerId: number; readonly id: number }): string =>
  doctorRowKey(centerId, id);
const templateKey = ({ tempid }: { readonly tempid: number }): string => `${tempid}`;
const hoursKey = (h: NewOpeningHours): string =>
  [h.centerId, h.doctorId, h.weekday, h.from, h.to, h.validFrom, h.validTo].join('/');
const leaveKey = (l: NewLeave): string => [l.centerId, l.doctorId, l.from, l.to].join('/');

/** The rows of a table's files. In a row that is already stored, values for which its file has no column are those of the stored row. */
function completed<Name extends ReferenceTableName, Stored extends RowOfTable<Name>>(
  { rows, missingIn }: ImportFiles,
  table: Name,
  stored: readonly Stored[],
  keyOf: (row: RowOfTable<Name>) => string,
): RowOfTable<Name>[] {
  const known = new Map(stored.map((row) => [keyOf(row), row as Readonly<Record<string, unknown>>]));
  return rows(table).map(({ row, place }) => {
    const before = known.get(keyOf(row));
    if (before === undefined) return row;
    return { ...row, ...Object.fromEntries(missingIn(place.file).map((name) => [name, before[name]])) };
  });
}

/** `replaced`: if rows of a doctor belong together, the doctors whose other rows are removed. */
function changes<New extends object, Stored extends New>(
  rows: readonly New[],
  stored: readonly Stored[],
  keyOf: (row: New) => string,
  removed: readonly Stored[],
  replaced: readonly OfDoctor[] = [],
): TableChange<New, Stored> {
  const doctors = new Set(replaced.map(({ centerId, doctorId }) => doctorRowKey(centerId, doctorId)));
  const before = new Map(stored.map((row) => [keyOf(row), row]));
  const after = new Map(rows.map((row) => [keyOf(row), row]));
  const isReplaced = (row: Stored & Partial<OfDoctor>): boolean =>
    doctors.has(doctorRowKey(row.centerId ?? 0, row.doctorId ?? 0)) && !after.has(keyOf(row));
  const changed = [...after].flatMap(([key, row]) => {
    const known = before.get(key);
    return known === undefined || isSame(known, row) ? [] : [{ before: known, after: row }];
  });
  return {
    added: [...after].flatMap(([key, row]) => (before.has(key) ? [] : [row])),
    changed,
    removed: [...removed, ...stored.filter(isReplaced)],
  };
}

const isSame = <Row extends object>(a: Row, b: Row): boolean =>
  Object.entries(b).every(([name, value]) => (a as Record<string, unknown>)[name] === value);

/** Makes the changes. Must run within one write. */
export async function applyPlan(
  { referenceTables: tables }: Queries,
  { centers, doctors, openingHours, leaves, templates }: ImportPlan,
): Promise<void> {
  const rowsAfter = <Row>({ added, changed }: TableChange<Row>) => [...added, ...changed.map(({ after }) => after)];
  // Rows that refer to others are removed before them and added after them.
  for (const { id } of openingHours.removed) await tables.removeOpeningHours(id);
  for (const { id } of leaves.removed) await tables.removeLeave(id);
  for (const { centerId, id } of doctors.removed) await tables.removeDoctor(centerId, id);
  for (const { id } of centers.removed) await tables.removeCenter(id);
  for (const center of rowsAfter(centers)) await tables.putCenter(center);
  for (const doctor of rowsAfter(doctors)) await tables.putDoctor(doctor);
  for (const hours of openingHours.added) await tables.addOpeningHours(hours);
  for (const leave of leaves.added) await tables.addLeave(leave);
  for (const template of rowsAfter(templates)) await tables.putTemplate(template);
}
