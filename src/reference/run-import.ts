import type { Queries, Store } from '../store/store.ts';
import { isSameZone } from '../vocabulary/time-zone.ts';
import { checkHours, checkReferences } from './check-references.ts';
import { DEMO_CENTER_IDS, DEMO_FACT } from './demo-data.ts';
import type { ImportFiles } from './import-files.ts';
import { AppointmentImport, type ImportRun, importFeedback } from './import-records.ts';
import { applyChanges, changesIn, keyOf, type ReferenceRows, readReferenceRows } from './imported-rows.ts';
import { type ImportOptions, type ImportPlan, planImport } from './plan-import.ts';
import { type Problem, Problems } from './problem.ts';
import { REFERENCE_TABLE_NAMES, type RowOfTable } from './tables.ts';
import { unfitAppointments } from './unfit-appointments.ts';

export type ImportOutcome = Awaited<ReturnType<typeof importInto>>;

/** The actor in the audit trail, because an import has no caller. */
const IMPORTER = 'tpws import';

/** The name of an import in the audit trail, derived from its files: 128 bits of their SHA-256. */
export const importName = (digest: string): string => `import-${digest.slice(0, 32)}`;

/** Imports the files into the database, either completely or, if it throws ImportRefused with every problem, not at all. */
export function runImport(store: Store, files: ImportFiles, options: ImportOptions): Promise<ImportOutcome> {
  // The work of a write may run more than once.
  const run = (writes: boolean) => (queries: Queries) =>
    importInto({ queries, files, options, problems: new Problems(files.problems), writes });
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
  const appointments = await new AppointmentImport(run, after).addAll();
  const feedback = await importFeedback(run);
  if (!problems.isEmpty) throw problems.refusal(files.names);
  if (writes && options.replaceDemo) await queries.facts.remove({ name: DEMO_FACT });
  if (writes && appointments.added + feedback.added > 0) {
    await queries.audit.add({
      recordedOn: options.now,
      operation: 'Import',
      action: 'C',
      outcome: 0,
      client: IMPORTER,
      correlationId: importName(files.digest),
      moveName: `Import of ${appointments.added} appointments and ${feedback.added} feedback records`,
    });
  }
  return { plan, appointments, feedback, unfit, unused: [...checkHours(files, after, plan)] };
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
  return unfitAppointments(queries, rows, now, isChanged);
}
