/**
 * The suites whose results depend on the database, or only the files that are named, on a PostgreSQL server of their own:
 * `npm run ci -- postgres -- [--operations N] [FILE…]`. Installs Debian's PostgreSQL, PgBouncer and HAProxy if they are missing (as root), and removes the server at the end, however the run ends.
 */

import { readArguments } from '../../../scripts/ci/read-arguments.ts';
import { endPrograms, runProgram } from '../../../scripts/ci/run-program.ts';
import { runSteps, type Step } from '../../../scripts/ci/run-steps.ts';
import { installPackages } from '../../clients/interop/install-packages.ts';
import { startPrivatePostgres } from '../../support/database/private-postgres.ts';
import { DEBIAN_PACKAGES } from '../../support/debian-packages.ts';
import { MOCHA } from '../../support/mocha.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

const { values, positionals: files } = readArguments('npm run ci -- postgres --', {
  options: { operations: { type: 'string', default: '2000' } },
  allowPositionals: true,
});

const node = (...parameters: readonly string[]) => [process.execPath, ...parameters] as const;
const mocha = (...files: readonly string[]) => node(...MOCHA, '--timeout', '60000', '--reporter', 'dot', ...files);

const testsIn = (folder: string, names: string): readonly string[] =>
  names.split(' ').map((name) => `test/unit/${folder}/${name}.test.ts`);

/** The longest first. */
const SUITES: readonly (readonly [name: string, ...files: string[]])[] = [
  [
    'commands',
    ...testsIn(
      'commands',
      'import import-errors import-beside-service import-appointments import-changed import-limits',
    ),
  ],
  [
    'more commands',
    ...testsIn(
      'commands',
      'export export-for-earlier audit audited-commands canaries outbox patient find-patient phone-region copy correct-patient',
    ),
  ],
  ['stored data', ...testsIn('commands', 'stored-patient tampered-schema')],
  ['store', 'test/databases/store/*.test.ts', 'test/databases/store/postgres/*.test.ts'],
  [
    'operations',
    'test/unit/appointments/*.test.ts',
    'test/unit/calls/*.test.ts',
    ...testsIn('messages', 'queue-message stopped-sender'),
    ...testsIn('reference', 'demo-data list-doctors record-feedback'),
    ...testsIn('doctor', 'lists'),
  ],
  ['transports', ...testsIn('transports', 'four-transports kept-answers'), 'test/unit/log/why-calls-fail.test.ts'],
  ['moving day', 'test/clients/guides/moving-day.test.ts'],
];

for (const [name, reason] of await installPackages([...DEBIAN_PACKAGES.pgbouncer, ...DEBIAN_PACKAGES.haproxy])) {
  console.log(`${name} cannot be installed, its tests are left out: ${reason}`);
}
const postgres = await startPrivatePostgres({ durable: false });
console.log(postgres.version);

const program = (name: string, command: Step['command']): Step => ({
  name,
  command,
  environment: { TEST_DATABASE_URL: postgres.url },
  cores: 1,
});
const isWhole = files.length === 0;
const suites: typeof SUITES = isWhole ? SUITES : [['the files that were named', ...files]];
const programs = suites.map(([name, ...files]) => program(name, mocha(...files)));
for (const services of isWhole ? ['1', '3'] : []) {
  const database = await postgres.createDatabase(`model_${services}`);
  const history = ['--operations', values.operations, '--services', services, '--database', database];
  programs.push(program(`model, services: ${services}`, node('test/wire/model/run.ts', ...history)));
}
for (const processes of isWhole ? ['1', '4'] : []) {
  const database = await postgres.createDatabase(`one_slot_${processes}`);
  const rush = ['--rounds', '2', '--processes', processes, '--database', database];
  programs.push(program(`one slot, processes: ${processes}`, node('test/nights/one-slot/run.ts', ...rush)));
}

const folder = temporaryFolder();
process.once('exit', endPrograms);
const { results } = await runSteps(programs, {
  // A suite and the server mostly wait for each other.
  cores: 2,
  clock: () => performance.now(),
  run: (step) => runProgram(step, folder.path),
  onStart: () => {},
  onEnd: ({ name, ok, output, seconds }) => {
    console.log(`-- ${name}: ${ok ? 'ok' : 'FAILED'}, ${seconds.toFixed(0)} s\n${output}`);
  },
});
folder.remove();
await postgres.dispose();
const failed = results.filter(({ ok }) => !ok).map(({ name }) => name);
console.log(failed.length === 0 ? 'PostgreSQL: all passed' : `PostgreSQL: failed: ${failed.join('; ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
