/**
 * Everything that a change must pass, in an order that keeps a machine with two cores busy: see scripts/ci/steps.ts. `.ci/run` runs it
 * after npm ci. Prints the output of each step when it ends, then what each took, and finally the line "N passed, M failed": the tests
 * of the coverage run, each counted once, and one failure for each other step that fails.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { summaryCounts } from '../test/support/reporter/run-summary.ts';
import { endPrograms, runProgram } from './ci/run-program.ts';
import { runSteps } from './ci/run-steps.ts';
import type { Ending, Step, StepResult } from './ci/step.ts';
import { stepTable } from './ci/step-table.ts';
import { ciSteps, TESTS } from './ci/steps.ts';

/** Cores that the steps are scheduled for. With more, the load tests would run too close together. */
const CORES = 2;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const folder = mkdtempSync(join(tmpdir(), 'tpwebservices-ci-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
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

const { results, notStarted } = await runSteps(ciSteps(Math.random, folder), {
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
const broken = results.filter(({ ok }) => !ok).map(({ name }) => name);
for (const name of broken) say(`== ${name}: FAILED`);
for (const name of notStarted) say(`== ${name}: not run, for a step before it failed`);
const othersFailed = broken.filter((name) => name !== TESTS || counts.failed === 0).length;
say(`${counts.passed} passed, ${counts.failed + othersFailed} failed`);
process.exitCode = broken.length === 0 ? 0 : 1;
