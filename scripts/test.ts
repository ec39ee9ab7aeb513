/**
 * The tests, except those that take long: `npm test [-- FILE … | mocha's options]`. With files, only those run. `npm run ci` runs
 * everything, and a change is finished when that passes.
 */
import { spawnSync } from 'node:child_process';
import { MOCHA } from '../test/support/mocha.ts';
import { COMPILE_CACHE } from '../test/support/process/compile-cache.ts';
import { LONG_TESTS } from './tests/long-tests.ts';
import { memoryFolder } from './tests/memory-folder.ts';

const parameters = process.argv.slice(2);
const chosen = parameters.some((parameter) => parameter.endsWith('.test.ts'));
const options = chosen
  ? [...MOCHA, '--timeout', '20000', '--reporter', 'test/support/reporter/plain-reporter.ts']
  : [MOCHA[0], ...LONG_TESTS.flatMap(({ files }) => files).flatMap((files) => ['--ignore', files])];

const { status } = spawnSync(process.execPath, [...options, ...parameters], {
  stdio: 'inherit',
  // In memory, SQLite's commits wait for no disk. CI runs the same tests on a disk.
  env: { NODE_COMPILE_CACHE: COMPILE_CACHE, TMPDIR: memoryFolder(), ...process.env },
});
if (!chosen) {
  const leftOut = LONG_TESTS.map(({ what }) => what).join('; ');
  console.log(
    `Left out, because they take long: ${leftOut}. A change is finished when npm run ci passes, which runs everything.`,
  );
}
process.exitCode = status ?? 1;
