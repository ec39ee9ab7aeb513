/**
 * Everything that a change must pass, in an order that keeps a machine with two cores busy: see scripts/ci/steps.ts. `.ci/run` runs it
 * after npm ci. Prints the output of each step when it ends, then what each took, and finally the line "N passed, M failed": the tests
 * of the step of that name, each counted once, or the steps if those tests are not among them; and one failure for each other step that fails.
 * `npm run ci -- STEP…` runs only these steps; `npm run ci -- STEP -- OPTION…` gives one step other options than CI does.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { summaryCounts } from '../test/support/reporter/run-summary.ts';
import { refuseArguments } from './ci/read-arguments.ts';
import { endPrograms, runProgram } from './ci/run-program.ts';
import { type Ending, runSteps, type Step, type StepResult, stepTable } from './ci/run-steps.ts';
import { ciSteps, TESTS } from './ci/steps.ts';

/** Cores that the steps are scheduled for. With more, the load tests would run too close together. */
const CORES = 2;
const COMMAND = 'npm run ci --';
/** Lines of a failed step's output that are repeated at the end: enough for a few failures of tests with their causes. */
const LAST_LINES = 100;
const STEPS = '--list" lists the steps';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const folder = mkdtempSync(join(tmpdir(), 'tpwebservices-ci-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const steps = ciSteps(Math.random, folder);

const parameters = process.argv.slice(2);
const divider = parameters.indexOf('--');
const names = divider < 0 ? parameters : parameters.slice(0, divider);
const options = divider < 0 ? undefined : parameters.slice(divider + 1);
if (names.some((name) => /^--(?:list|help)$/.test(name))) {
  say(`${COMMAND} [STEP…], or one STEP -- its own options`);
  for (const { name, what, isOnRequest } of steps) {
    say(`  ${name.padEnd(21)}${what}${isOnRequest ? '; only if it is named' : ''}`);
  }
  process.exit(0);
}
const unknown = names.find((wanted) => !steps.some(({ name }) => name === wanted));
if (unknown !== undefined) refuseArguments(COMMAND, `There is no step '${unknown}'`, STEPS);
if (options !== undefined && names.length !== 1) refuseArguments(COMMAND, 'Options need exactly one step', STEPS);
const chosen = names.length === 0 ? steps.filter(({ isOnRequest }) => !isOnRequest) : named(names);
process.exitCode = names.length === 1 ? runAlone(chosen[0] as Step) : await runTogether(chosen);

/** The steps of these names, which do not wait for others. */
function named(wanted: readonly string[]): readonly Step[] {
  return steps
    .filter(({ name }) => wanted.includes(name))
    .map((step) => ({ ...step, after: (step.after ?? []).filter((name) => wanted.includes(name)) }));
}

/** One step, whose output is shown as it comes. */
function runAlone({ command: [program, ...fixed], options: usual = [], environment }: Step): number {
  const { status } = spawnSync(program, [...fixed, ...(options ?? usual)], {
    env: { ...process.env, ...environment },
    stdio: 'inherit',
  });
  return status ?? 1;
}

async function runTogether(list: readonly Step[]): Promise<number> {
  let counts = { passed: 0, failed: 0 };
  const unended = new Set<string>();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      endPrograms();
      say(`== ended by ${signal} during: ${[...unended].join('; ')}`);
      say(`${counts.passed} passed, ${counts.failed + unended.size} failed`);
      process.exit(1);
    });
  }

  async function run(step: Step): Promise<Ending> {
    const ending = await runProgram(step, folder);
    if (step.name !== TESTS) return ending;
    counts = summaryCounts(ending.output) ?? counts;
    return counts.passed > 0 ? ending : { ...ending, ok: false, output: `${ending.output}No test ran.\n` };
  }

  function onEnd({ name, ok, output, seconds }: StepResult): void {
    unended.delete(name);
    say(`== ${name}`);
    process.stdout.write(output === '' || output.endsWith('\n') ? output : `${output}\n`);
    say(`== ${name}: ${ok ? 'ok' : 'FAILED'}, ${seconds.toFixed(0)} s`);
  }

  const { results, notStarted } = await runSteps(list, {
    cores: CORES,
    clock: () => performance.now(),
    run,
    onStart: ({ name }) => {
      unended.add(name);
      say(`-- ${name}: begins`);
    },
    onEnd,
  });
  say(`\n${stepTable(results)}`);
  const failed = results.filter(({ ok }) => !ok);
  for (const { name, output } of failed) {
    // Again, because what the steps after it print may fill whatever shows the log.
    say(`== ${name}: FAILED; its output ends with`);
    say(output.trimEnd().split('\n').slice(-LAST_LINES).join('\n'));
  }
  const broken = failed.map(({ name }) => name);
  for (const name of notStarted) say(`== ${name}: not run, for a step before it failed`);
  if (!list.some(({ name }) => name === TESTS)) counts.passed = results.length - broken.length;
  const othersFailed = broken.filter((name) => name !== TESTS || counts.failed === 0).length;
  say(`${counts.passed} passed, ${counts.failed + othersFailed} failed`);
  return broken.length === 0 ? 0 : 1;
}
