/**
 * The tests, except those that take long: `npm test [-- FILE or FOLDER … | mocha's options]`. With files or folders, only their tests run, even
 * if they take long. `npm run ci` runs everything, and a change is finished when that passes.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { MOCHA } from '../test/support/mocha.ts';
import { COMPILE_CACHE } from '../test/support/process/compile-cache.ts';
import { LONG_TESTS } from './ci/long-tests.ts';
import { memoryFolder } from './ci/memory-folder.ts';
import { refuseArguments } from './ci/read-arguments.ts';

const parameters = process.argv.slice(2);
const isPath = (parameter: string): boolean => /^test\/|\.ts$/.test(parameter);
const chosen = parameters.filter(isPath).flatMap((path) => {
  const tests = globSync([path, `${path}/**`]).filter((file) => file.endsWith('.test.ts'));
  return tests.length > 0 ? tests : refuseArguments('npm test --', `'${path}' has no tests`, 'test/FOLDER" runs some');
});
const selection =
  chosen.length > 0
    ? [...MOCHA, '--timeout', '20000', '--reporter', 'test/support/reporter/plain-reporter.ts']
    : [MOCHA[0], ...LONG_TESTS.flatMap(({ files }) => files).flatMap((files) => ['--ignore', files])];

const options = [...selection, ...chosen, ...parameters.filter((parameter) => !isPath(parameter))];
const { status } = spawnSync(process.execPath, options, {
  stdio: 'inherit',
  // In memory, SQLite's commits wait for no disk. CI runs the same tests on a disk.
  env: { NODE_COMPILE_CACHE: COMPILE_CACHE, TMPDIR: memoryFolder(), ...process.env },
});
const leftOut = `Left out, because they take long: ${LONG_TESTS.map(({ what }) => what).join('; ')}.`;
if (chosen.length === 0) console.log(`${leftOut} A change is finished when npm run ci passes, which runs everything.`);
process.exitCode = status ?? 1;
