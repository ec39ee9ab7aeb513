// Runs the tests as if the host were elsewhere, in parallel: west of UTC, and east of it in Turkish, whose i and I pair up with other
// letters. Neither must matter. Prints the counts of each run; exits 1 if any of them fails. `npm test` uses the host's own settings.
import { spawn } from 'node:child_process';

interface Run {
  readonly title: string;
  readonly environment: Readonly<Record<string, string>>;
}

const RUNS: readonly Run[] = [
  {
    title: 'TZ=Asia/Kolkata LC_ALL=tr_TR.UTF-8',
    environment: { TZ: 'Asia/Kolkata', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
  },
  { title: 'TZ=America/New_York', environment: { TZ: 'America/New_York' } },
];

/** Tests of attacks and of compilers are about load, which does not depend on the place, and would disturb the parallel run. */
const LEFT_OUT = ['test/faults/**', 'test/guides/**', 'test/fuzz/**'].flatMap((files) => ['--ignore', files]);

/** The exit code and all output of one run of the tests. */
function runTests({ environment }: Run): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const mocha = new URL('../node_modules/mocha/bin/mocha.js', import.meta.url).pathname;
    const child = spawn(process.execPath, [mocha, '--no-color', '--reporter', 'dot', ...LEFT_OUT], {
      env: { ...process.env, ...environment },
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output: Buffer.concat(chunks).toString('utf8') }));
  });
}

const countOf = (output: string, word: string): number =>
  Number(new RegExp(`^ +(\\d+) ${word}`, 'm').exec(output)?.[1] ?? 0);

const results = await Promise.all(RUNS.map(async (run) => ({ run, ...(await runTests(run)) })));
for (const { run, code, output } of results) {
  const passing = countOf(output, 'passing');
  console.log(`${run.title}: ${passing} passing, ${countOf(output, 'failing')} failing`);
  if (code === 0 && passing > 0) continue;
  process.exitCode = 1;
  console.log(output);
}
