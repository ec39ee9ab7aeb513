import type { Center, Doctor } from '../store/queries/reference-queries.ts';
import type {
  MessageTemplate,
  NewLeave,
  NewOpeningHours,
  StoredLeave,
  StoredOpeningHours,
} from '../store/queries/reference-table-queries.ts';
import type { GivenData } from './given-data.ts';
import { doctorRowKey, type HospitalState } from './hospital-state.ts';
import type { GivenRow } from './read-table-file.ts';

export interface Changed<Row> {
  readonly before: Row;
  readonly after: Row;
}

/** The changes to one table. */
interface TableChange<Added, Stored extends Added = Added> {
  readonly added: readonly Added[];
  readonly changed: readonly Changed<Added>[];
  readonly removed: readonly Stored[];
}

/** All changes that an import makes to the database. */
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
  given: GivenData,
  state: HospitalState,
  { timeZone, deactivate }: PlanOptions,
  removed: HospitalState,
): ImportPlan {
  const centers = completed(given.rows('centers'), state.centers, centerKey).map((center) => ({
    ...center,
    timeZone: center.timeZone ?? timeZone,
  }));
  const doctors = completed(given.rows('doctors'), state.doctors, keyOfDoctor);
  const named = new Set(doctors.map(({ centerId }) => centerId));
  const present = new Set(doctors.map(({ centerId, id }) => doctorRowKey(centerId, id)));
  const leftOut = state.doctors.filter(
    ({ centerId, id, active }) => active !== 0 && named.has(centerId) && !present.has(doctorRowKey(centerId, id)),
  );
  const withdrawn = deactivate ? leftOut.map((doctor) => ({ ...doctor, active: 0 })) : [];
  const hours = given.rows('opening-hours').map(({ row }) => row);
  const leaves = given.rows('leave').map(({ row }) => row);
  const templates = completed(given.rows('templates'), state.templates, templateKey);
  return {
    centers: change(centers, state.centers, centerKey, removed.centers),
    leftOut: deactivate ? [] : leftOut,
    doctors: change([...doctors, ...withdrawn], state.doctors, keyOfDoctor, removed.doctors),
    openingHours: replace(
      hours,
      hours.flatMap(({ days, from, to, ...rest }) =>
        (days ?? []).map((weekday) => ({ ...rest, weekday, from: from ?? 0, to: to ?? 0 })),
      ),
      state.openingHours,
      (h) => [h.centerId, h.doctorId, h.weekday, h.from, h.to, h.validFrom, h.validTo].join('/'),
      removed.openingHours,
    ),
    leaves: replace(
      leaves,
      leaves.flatMap(({ from, to, ...rest }) => (from === null || to === null ? [] : [{ ...rest, from, to }])),
      state.leaves,
      (l) => [l.centerId, l.doctorId, l.from, l.to].join('/'),
      removed.leaves,
    ),
    templates: change(templates, state.templates, templateKey, removed.templates),
  };
}

const centerKey = ({ id }: { readonly id: number }): string => `${id}`;
const keyOfDoctor = ({ centerId, id }: { readonly centerId: number; readonly id: number }): string =>
  doctorRowKey(centerId, id);
const templateKey = ({ tempid }: { readonly tempid: number }): string => `${tempid}`;

/** The given rows. In a row that is already stored, values that its file does not contain are taken from the stored row. */
function completed<Row extends object, Stored extends Row>(
  given: readonly GivenRow<Row>[],
  stored: readonly Stored[],
  keyOf: (row: Row) => string,
): Row[] {
  const known = new Map(stored.map((row) => [keyOf(row), row as Readonly<Record<string, unknown>>]));
  return given.map(({ row, unsaid }) => {
    const before = known.get(keyOf(row));
    return before === undefined ? row : { ...row, ...Object.fromEntries(unsaid.map((name) => [name, before[name]])) };
  });
}

function change<Row extends object>(
  given: readonly Row[],
  stored: readonly Row[],
  keyOf: (row: Row) => string,
  removed: readonly Row[],
): TableChange<Row> {
  const before = new Map(stored.map((row) => [keyOf(row), row]));
  const added: Row[] = [];
  const changed: Changed<Row>[] = [];
  for (const after of given) {
    const known = before.get(keyOf(after));
    if (known === undefined) added.push(after);
    else if (!isSame(known, after)) changed.push({ before: known, after });
  }
  return { added, changed, removed };
}

const isSame = <Row extends object>(a: Row, b: Row): boolean =>
  Object.entries(b).every(([name, value]) => (a as Record<string, unknown>)[name] === value);

type OfDoctor = { readonly centerId: number; readonly doctorId: number };

/** For the doctors named: rows that are already stored stay, the others are removed or added. */
function replace<New extends OfDoctor, Stored extends New & { readonly id: number }>(
  named: readonly OfDoctor[],
  given: readonly New[],
  stored: readonly Stored[],
  keyOf: (row: New) => string,
  removed: readonly Stored[],
): TableChange<New, Stored> {
  const doctors = new Set(named.map(({ centerId, doctorId }) => doctorRowKey(centerId, doctorId)));
  const missing = new Map(given.map((row) => [keyOf(row), row]));
  const gone: Stored[] = [];
  for (const row of stored) {
    if (!doctors.has(doctorRowKey(row.centerId, row.doctorId))) continue;
    if (!missing.delete(keyOf(row))) gone.push(row);
  }
  return { added: [...missing.values()], changed: [], removed: [...removed, ...gone] };
}
