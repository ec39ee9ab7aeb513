import { wallMinuteAt } from '../rules/time-zone.ts';
import type { Queries, Store } from '../store/store.ts';
import { checkReferences, knownDoctors } from './check-references.ts';
import { DEMO_CENTER_IDS, DEMO_MARK } from './demo-data.ts';
import { doctorRowKey, type HospitalState, readHospitalState, splitByCenters } from './hospital-state.ts';
import {
  type AppointmentCounts,
  type AppointmentOptions,
  importAppointments,
  type KnownHospital,
} from './import-appointments.ts';
import { importFeedback } from './import-feedback.ts';
import type { ImportFiles, Progress } from './import-files.ts';
import { applyPlan, type ImportPlan, type PlanOptions, planImport, type TableChange } from './plan-import.ts';
import { type Problem, Problems } from './problem.ts';
import type { RecordCounts } from './stage-records.ts';

export interface ImportOptions extends PlanOptions, AppointmentOptions {
  /** Only report what would change. */
  readonly dryRun: boolean;
  /** Remove the demo data first. */
  readonly replaceDemo: boolean;
}

/** A doctor whom an import makes inactive while patients still have appointments. */
export interface WithdrawnDoctor {
  readonly centerId: number;
  readonly id: number;
  readonly name: string;
  /** Upcoming appointments that occupy their slot. */
  readonly appointments: number;
}

export interface ImportOutcome {
  readonly plan: ImportPlan;
  readonly appointments: AppointmentCounts;
  readonly feedback: RecordCounts;
  readonly withdrawn: readonly WithdrawnDoctor[];
}

/** The actor in the audit trail, because an import has no caller. */
const IMPORTER = 'tpws import';

/** The name of an import in the audit trail, derived from its files: 128 bits of their SHA-256. */
export const importName = (digest: string): string => `import-${digest.slice(0, 32)}`;

/** Imports the files into the database, either completely or, if it throws ImportRefused with every problem, not at all. */
export function runImport(
  store: Store,
  files: ImportFiles,
  options: ImportOptions,
  progress: Progress,
): Promise<ImportOutcome> {
  const isChecked = options.dryRun || !files.problems.isEmpty;
  if (isChecked) return store.read((queries) => importInto(queries, files, options, false, progress));
  return store.write((queries) => importInto(queries, files, options, true, progress));
}

async function importInto(
  queries: Queries,
  files: ImportFiles,
  options: ImportOptions,
  writes: boolean,
  progress: Progress,
): Promise<ImportOutcome> {
  // The work of a write may run more than once.
  const problems = new Problems(files.problems);
  const stored = await readHospitalState(queries);
  const isDemo = (await queries.reference.mark(DEMO_MARK)) !== undefined;
  const [demo, state] = splitByCenters(stored, isDemo && options.replaceDemo ? DEMO_CENTER_IDS : []);
  const plan = planImport(files, state, options, demo);
  if (isDemo) problems.addAll(await demoProblems(queries, options, stored));
  problems.addAll(checkReferences(files, state));
  problems.addAll(await zoneProblems(queries, plan, files));
  const withdrawn = await withdrawnBy(queries, plan, state, options.now);
  if (writes && problems.isEmpty) await applyPlan(queries, plan);

  const { records: staged, missingIn } = files;
  const total = staged.appointments.count + staged.feedback.count;
  let count = 0;
  const done = (rows: number) => {
    count += rows;
    progress(count / total);
  };
  const run = { staged, missingIn, problems, writes, done };
  const appointments = await importAppointments(queries, run, knownAfter(files, state, plan), options);
  const feedback = await importFeedback(queries, run, options.timeZone);
  if (!problems.isEmpty) throw problems.refusal(files.names);
  if (writes) await recordImport(queries, files, options, appointments.added, feedback.added);
  return { plan, appointments, feedback, withdrawn };
}

async function recordImport(
  { audit, reference }: Queries,
  { digest }: ImportFiles,
  { now, replaceDemo }: ImportOptions,
  appointments: number,
  feedback: number,
): Promise<void> {
  if (replaceDemo) await reference.removeMark(DEMO_MARK);
  if (appointments + feedback === 0) return;
  await audit.add({
    now,
    operation: 'Import',
    action: 'C',
    outcome: 0,
    client: IMPORTER,
    transport: undefined,
    correlationId: importName(digest),
    moveName: `Import of ${appointments} appointments and ${feedback} feedback records`,
  });
}

/** The centers and doctors that exist after the import. */
function knownAfter(files: ImportFiles, state: HospitalState, { centers, doctors }: ImportPlan): KnownHospital {
  const after = <Row>({ added, changed }: TableChange<Row>) => [...added, ...changed.map((change) => change.after)];
  return {
    centers: new Map([...state.centers, ...after(centers)].map((center) => [center.id, center])),
    doctors: new Map(
      [...state.doctors, ...after(doctors)].map((doctor) => [doctorRowKey(doctor.centerId, doctor.id), doctor]),
    ),
    isKnownDoctor: knownDoctors(files, state),
  };
}

async function demoProblems({ exports }: Queries, { replaceDemo }: ImportOptions, { centers }: HospitalState) {
  const file = 'The database';
  const problems: Problem[] = [];
  for (const { id, name } of centers.filter((center) => DEMO_CENTER_IDS.includes(center.id))) {
    const count = await exports.appointmentsOfCenter(id);
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
async function zoneProblems({ exports }: Queries, { centers }: ImportPlan, files: ImportFiles): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const { before, after } of centers.changed) {
    if (before.timeZone === after.timeZone) continue;
    const count = await exports.appointmentsOfCenter(after.id);
    const place = files.rows('centers').find(({ row }) => row.id === after.id)?.place;
    if (count === 0 || place === undefined) continue;
    const message = `would move the appointments (${count}) of center ${after.id}; expected its zone to remain ${before.timeZone}`;
    problems.push({ ...place, column: 'TimeZone', value: after.timeZone, message });
  }
  return problems;
}

async function withdrawnBy(
  { exports }: Queries,
  { doctors }: ImportPlan,
  { centers }: HospitalState,
  now: number,
): Promise<WithdrawnDoctor[]> {
  const zones = new Map(centers.map(({ id, timeZone }) => [id, timeZone]));
  const withdrawn: WithdrawnDoctor[] = [];
  for (const { before, after } of doctors.changed) {
    const zone = zones.get(after.centerId);
    if (before.active === 0 || after.active !== 0 || zone === undefined) continue;
    const appointments = await exports.standingFrom(after.centerId, after.id, wallMinuteAt(now, zone));
    if (appointments > 0) withdrawn.push({ ...after, appointments });
  }
  return withdrawn;
}
