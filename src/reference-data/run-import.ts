import type { PatientPolicy } from '../rules/read-patient.ts';
import { wallMinuteAt } from '../rules/time-zone.ts';
import type { Queries, Store } from '../store/store.ts';
import { addRecords } from './add-records.ts';
import { applyPlan } from './apply-plan.ts';
import { checkReferences } from './check-references.ts';
import { DEMO_CENTER_IDS, DEMO_MARK } from './demo-data.ts';
import type { GivenData } from './given-data.ts';
import { doctorRowKey, type HospitalState, readHospitalState, splitByCenters } from './hospital-state.ts';
import { type AppointmentPlan, type KnownHospital, planAppointments } from './plan-appointments.ts';
import { type FeedbackPlan, planFeedback } from './plan-feedback.ts';
import { type ImportPlan, type PlanOptions, planImport } from './plan-import.ts';
import { ImportRefused, type Problem } from './problem.ts';
import type { Progress } from './raw-table.ts';
import { readAppointments } from './read-appointments.ts';
import type { WithdrawnDoctor } from './report-plan.ts';

export interface ImportOptions extends PlanOptions {
  /** Only report what would change. */
  readonly dryRun: boolean;
  /** Remove the demo data first. */
  readonly replaceDemo: boolean;
  /** Accept appointments that overlap others, and mark them. */
  readonly allowOverlaps: boolean;
  /** Accept appointments with the same token as another one. */
  readonly allowRepeatedTokens: boolean;
  readonly patients: PatientPolicy;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface ImportOutcome {
  readonly plan: ImportPlan;
  readonly appointments: AppointmentPlan;
  readonly feedback: FeedbackPlan;
  readonly withdrawn: readonly WithdrawnDoctor[];
}

/** Imports the files into the database, either completely or, if it throws ImportRefused with every problem, not at all. */
export function runImport(
  store: Store,
  given: GivenData,
  options: ImportOptions,
  progress: Progress,
): Promise<ImportOutcome> {
  // Done before the transaction, because it takes seconds for a million rows.
  const read = readAppointments(given.rows('appointments'), options.patients);
  if (options.dryRun) return store.read((queries) => prepare(queries, given, read, options));
  return store.write(async (queries) => {
    const outcome = await prepare(queries, given, read, options);
    await applyPlan(queries, outcome.plan, progress);
    await addRecords(queries, outcome, { digest: given.digest, now: options.now }, progress);
    if (options.replaceDemo) await queries.reference.removeMark(DEMO_MARK);
    return outcome;
  });
}

async function prepare(
  queries: Queries,
  given: GivenData,
  read: ReturnType<typeof readAppointments>,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const stored = await readHospitalState(queries);
  const isDemo = (await queries.reference.mark(DEMO_MARK)) !== undefined;
  const [demo, state] = splitByCenters(stored, isDemo && options.replaceDemo ? DEMO_CENTER_IDS : []);
  const plan = planImport(given, state, options, demo);
  const appointments = await planAppointments(queries, read.appointments, knownAfter(state, plan), options);
  const feedback = await planFeedback(queries, given.rows('feedback'), options.timeZone);
  const problems = [
    ...(isDemo ? await demoProblems(queries, options, stored) : []),
    ...given.problems,
    ...checkReferences(given, state),
    ...(await zoneProblems(queries, plan, given)),
    ...read.problems,
    ...appointments.problems,
    ...feedback.problems,
  ];
  if (problems.length > 0) throw new ImportRefused(inOrder(problems, given.files));
  return { plan, appointments, feedback, withdrawn: await withdrawnBy(queries, plan, state, options.now) };
}

/** Each step of the import finds problems of its own: sorts them by file and line, and puts those of the database first. */
function inOrder(problems: readonly Problem[], files: readonly string[]): readonly Problem[] {
  const places = new Map(files.map((name, index) => [name, index]));
  const placeOf = ({ file }: Problem) => places.get(file) ?? -1;
  return problems.toSorted((a, b) => placeOf(a) - placeOf(b) || (a.line ?? 0) - (b.line ?? 0));
}

/** The centers and doctors that exist after the import. */
function knownAfter(state: HospitalState, { centers, doctors }: ImportPlan): KnownHospital {
  const after = <Row>(change: {
    readonly added: readonly Row[];
    readonly changed: readonly { readonly after: Row }[];
  }) => [...change.added, ...change.changed.map((changed) => changed.after)];
  return {
    centers: new Map([...state.centers, ...after(centers)].map((center) => [center.id, center])),
    doctors: new Map(
      [...state.doctors, ...after(doctors)].map((doctor) => [doctorRowKey(doctor.centerId, doctor.id), doctor]),
    ),
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
async function zoneProblems({ exports }: Queries, { centers }: ImportPlan, given: GivenData): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const { before, after } of centers.changed) {
    if (before.timeZone === after.timeZone) continue;
    const count = await exports.appointmentsOfCenter(after.id);
    const place = given.rows('centers').find(({ row }) => row.id === after.id)?.place;
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
