import type { Queries, Store } from '../store/store.ts';
import { quantity } from '../vocabulary/text.ts';
import { isSameZone } from '../vocabulary/time-zone.ts';
import { checkHours, checkReferences } from './check-references.ts';
import { DEMO_CENTER_IDS, DEMO_FACT } from './demo-data.ts';
import type { ImportFiles } from './import-files.ts';
import { AppointmentImport, type ImportOptions, type ImportRun, importFeedback } from './import-records.ts';
import {
  applyChanges,
  changesIn,
  hoursRows,
  keyOf,
  keyTitles,
  type ReferenceRows,
  type RowChange,
  readReferenceRows,
  referenceOf,
  weekdaysOf,
} from './imported-rows.ts';
import { type Problem, Problems } from './problem.ts';
import { cellsOf, REFERENCE_TABLE_NAMES, type ReferenceTableName, type RowOfTable, titlesOf } from './tables.ts';
import { unfitAppointments } from './unfit-appointments.ts';

type ImportOutcome = Awaited<ReturnType<typeof importInto>>;

/** The actor in the audit trail, because an import has no caller. */
const IMPORTER = 'tpws import';

/** The name of an import in the audit trail, derived from its files: 128 bits of their SHA-256. */
export const importName = (digest: string): string => `import-${digest.slice(0, 32)}`;

/** Imports the files into the database, either completely or, if it throws ImportRefused with every problem, not at all. */
export function runImport(store: Store, files: ImportFiles, options: ImportOptions): Promise<ImportOutcome> {
  // The work of a write may run more than once.
  const run = (writes: boolean) => (queries: Queries) =>
    importInto({ queries, files, options, problems: new Problems(files.problems), changes: [], writes });
  return options.dryRun ? store.read(run(false)) : store.write(run(true));
}

async function importInto(run: ImportRun) {
  const { queries, files, options, problems, writes } = run;
  const stored = await readReferenceRows(queries);
  const isDemo = (await queries.facts.get(DEMO_FACT)) !== undefined;
  const demoCenters = isDemo && options.replaceDemo ? DEMO_CENTER_IDS : [];
  const state = ofCenters(stored, demoCenters, false);
  const plan = planImport(files, state, options, ofCenters(stored, demoCenters, true));
  const after = rowsAfter(state, plan);
  if (isDemo) problems.addAll(await demoProblems(queries, options, stored));
  problems.addAll(checkReferences(files, state));
  problems.addAll(await zoneProblems(queries, plan, files));
  const unfit = problems.isEmpty ? await unfitAfter(queries, after, plan, options.now) : [];
  if (writes && problems.isEmpty) await applyChanges(queries, plan.changes);
  const appointments = await new AppointmentImport(run, referenceOf(after)).addAll();
  const feedback = await importFeedback(run);
  if (!problems.isEmpty) throw problems.refusal(files.names);
  if (writes && options.replaceDemo) await queries.facts.remove({ name: DEMO_FACT });
  const total = ({ added, changed }: typeof feedback): number => added + changed;
  const isRecorded = writes && total(appointments) + total(feedback) > 0;
  if (isRecorded) {
    await queries.audit.add({
      recordedOn: options.now,
      operation: 'Import',
      action: 'C',
      outcome: 0,
      client: IMPORTER,
      correlationId: importName(files.digest),
      moveName: `Import of ${total(appointments)} appointments and ${total(feedback)} feedback records`,
    });
  }
  const { changes } = run;
  return {
    plan,
    appointments,
    feedback,
    changes,
    isRecorded,
    unfit,
    unused: [...checkHours(files, after, plan.changes)],
  };
}

/** The rows that belong to these centers, or the others. Templates belong to none. */
function ofCenters(rows: ReferenceRows, ids: readonly number[], isOf: boolean): ReferenceRows {
  const parts = REFERENCE_TABLE_NAMES.map((table) => {
    const belongs = (row: { readonly centerId?: number; readonly id?: number }): boolean =>
      ids.includes((table === 'centers' ? row.id : row.centerId) ?? 0) === isOf;
    return [table, (rows[table] as readonly object[]).filter(belongs)];
  });
  return Object.fromEntries(parts);
}

/** The rows of all tables after the import. */
function rowsAfter(state: ReferenceRows, { changes }: ImportPlan): ReferenceRows {
  const gone = new Set<unknown>(changes.map(({ before }) => before));
  const tables = REFERENCE_TABLE_NAMES.map((table) => [
    table,
    [...state[table].filter((row) => !gone.has(row)), ...changesIn(changes, table).flatMap(({ after }) => after ?? [])],
  ]);
  return Object.fromEntries(tables);
}

async function demoProblems({ exports }: Queries, { replaceDemo }: ImportOptions, { centers }: ReferenceRows) {
  const file = 'The database';
  const problems: Problem[] = [];
  for (const { id, name } of centers.filter((center) => DEMO_CENTER_IDS.includes(center.id))) {
    const count = await exports.appointmentsOfCenter({ centerId: id });
    if (count === 0) continue;
    const message = `demo center ${id}, ${name}, has appointments (${count}) and cannot be removed; expected another database in DATABASE_URL`;
    problems.push({ file, message });
  }
  if (replaceDemo || problems.length > 0) return problems;
  const message =
    'it contains demo data; expected --replace-demo, which removes it, or another database in DATABASE_URL';
  return [{ file, message }];
}

/** Appointments are stored as local times of their center. In another zone, they would be at different instants. */
async function zoneProblems({ exports }: Queries, { changes }: ImportPlan, files: ImportFiles): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const { before, after } of changesIn(changes, 'centers')) {
    if (!before?.timeZone || !after?.timeZone || isSameZone(before.timeZone, after.timeZone)) continue;
    const count = await exports.appointmentsOfCenter({ centerId: after.id });
    const place = files.rows('centers').find(({ row }) => row.id === after.id)?.place;
    if (count === 0 || place === undefined) continue;
    const message = `would move the appointments (${count}) of center ${after.id}; expected its zone to remain ${before.timeZone}`;
    problems.push({ ...place, column: 'TimeZone', value: after.timeZone, message });
  }
  return problems;
}

/** Of the doctors whose row, hours or leave change. The import's own appointments are not among them: the old system has booked them. */
function unfitAfter(queries: Queries, rows: ReferenceRows, plan: ImportPlan, now: number) {
  const changed = new Set(
    plan.changes.map(({ before, after }) => {
      const { centerId, doctorId, id } = (after ?? before ?? {}) as Readonly<Record<string, unknown>>;
      return `${centerId}/${doctorId ?? id ?? ''}`;
    }),
  );
  const isChanged = (doctor: RowOfTable<'doctors'>) =>
    changed.has(keyOf('doctors', doctor)) || changed.has(`${doctor.centerId}/`);
  return unfitAppointments(queries, referenceOf(rows), rows.doctors.filter(isChanged), now);
}

type ImportPlan = Readonly<ReturnType<typeof planImport>>;

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
function planImport(
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
export function united(leaves: readonly RowOfTable<'leave'>[]): readonly RowOfTable<'leave'>[] {
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

const isRemoved = ({ after }: RowChange): boolean => after === undefined;
const isAdded = ({ before }: RowChange): boolean => before === undefined;
const isChanged = (change: RowChange): boolean => !isRemoved(change) && !isAdded(change);

/** One line per table that changes: how many rows of its file are added, changed and removed. */
export function importSummary({ plan, appointments, feedback }: ImportOutcome): string[] {
  const lines: string[] = [];
  for (const [table, changes] of Map.groupBy(plan.changes, (change) => change.table)) {
    const count = (isKind: (change: RowChange) => boolean) => changes.filter(isKind).length;
    lines.push(`${table}: ${count(isAdded)} added, ${count(isChanged)} changed, ${count(isRemoved)} removed`);
  }
  const inactive = changesIn(plan.changes, 'doctors').filter(
    ({ before, after }) => before?.active === 1 && after?.active === 0,
  ).length;
  if (inactive > 0) lines.push(`${quantity(inactive, 'doctor becomes', 'doctors become')} inactive.`);
  lines.push(...recordLines('appointments', appointments), ...recordLines('feedback', feedback));
  const { marked } = appointments;
  if (marked > 0) {
    const overlap = quantity(marked, 'appointment overlaps another and is', 'appointments overlap others and are');
    lines.push(`${overlap} marked.`);
  }
  if (lines.length === 0) lines.push('Nothing changes.');
  if (plan.leftOut.length > 0) {
    const who = quantity(plan.leftOut.length, 'active doctor');
    lines.push(`The files leave out ${who} of the centers that they name; --deactivate would make them inactive.`);
  }
  return lines;
}

function recordLines(table: string, { added, changed, same }: ImportOutcome['feedback']): string[] {
  if (added + changed === 0) return [];
  const others = [changed === 0 ? '' : `, ${changed} changed`, same === 0 ? '' : `, ${same} already stored`].join('');
  return [`${table}: ${added} added${others}`];
}

/** One line per row of reference data: `+` added, `~` changed, `-` removed; and per record that a row replaces. */
export const changedRows = ({ plan, changes }: ImportOutcome): string[] => [
  ...plan.changes.map(changeText),
  ...changes,
];

function changeText({ table, before, after }: RowChange): string {
  const [old, now] = [before, after].map((row) => row && cellsOf(table, row));
  const cells = titlesOf(table).flatMap((title, index) => {
    const [was = '', is = ''] = [old?.[index], now?.[index]];
    if (old === undefined || now === undefined) return was + is === '' ? [] : [`${title} ${JSON.stringify(was + is)}`];
    if (was !== is) return [`${title} ${JSON.stringify(was)} → ${JSON.stringify(is)}`];
    return keyTitles(table).includes(title) ? [`${title} ${JSON.stringify(is)}`] : [];
  });
  const sign = old === undefined ? '+' : now === undefined ? '-' : '~';
  return `${sign} ${table}: ${cells.join(', ')}`;
}
