/**
 * The service on Windows, as far as Debian's Wine goes: `npm run ci -- windows [-- --short | --suite PATH …]`. The short form has fewer
 * kills and suites; --suite runs only a folder of test/ or a file there. docs/windows.md describes how Wine differs from Windows.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from '../../scripts/read-arguments.ts';
import { runCommand } from '../interop/run-command.ts';
import { freePort } from '../support/process/free-port.ts';
import { kills } from './kills.ts';
import { WindowsService } from './windows-service.ts';
import { runSuite } from './windows-suite.ts';
import { Wine } from './wine.ts';

const { values } = readArguments('npm run ci -- windows --', {
  options: { short: { type: 'boolean', default: false }, suite: { type: 'string', multiple: true } },
});
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SHORT = ['store', 'commands/backup', 'rules'];
/** Longest first. Tests that only process text, or that need another system, are left out. */
const LONG = [
  'transports',
  'access',
  'store',
  'operations',
  'contract',
  'commands/*.test.ts',
  'commands/{backup,doctor}',
  'process',
  'reference-data',
  'settings',
  'rules',
  'log',
  'sms/file-gateway.test.ts',
];
const SUITES = values.suite ?? (values.short ? SHORT : LONG);
/** Of two cores; in CI another step has the second. */
const LANES = values.short ? 1 : 2;

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;
// Everything that was started ends with the process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

let passed = 0;
let failed = 0;
let skipped = 0;

async function step(name: string, work: () => Promise<string | undefined>): Promise<void> {
  const began = performance.now();
  try {
    const told = await work();
    passed++;
    say(`ok    ${name}${told === undefined ? '' : `: ${told}`} (${seconds(began)})`);
  } catch (error) {
    failed++;
    say(`FAIL  ${name} (${seconds(began)})\n${(error as Error).message}`);
  }
}

async function suite(path: string): Promise<void> {
  const began = performance.now();
  const result = await runSuite(wine, path);
  passed += result.passed;
  failed += result.failures.length;
  skipped += result.skipped;
  const state = result.failures.length > 0 ? 'FAIL' : 'ok  ';
  say(`${state}  suite ${path}: ${result.passed} passed, ${result.skipped} skipped (${seconds(began)})`);
  for (const [reason, times] of result.reasons) say(`      ${times} × ${reason}`);
  for (const file of result.repeated) say(`      run again, since Wine refused a connection or stood still: ${file}`);
  for (const failure of result.failures) say(failure.slice(0, 3000));
  if (result.passed === 0) throw new Error(`No test of ${path} ran.`);
}

const began = performance.now();
const wine = await Wine.setUp(join(ROOT, 'test-output', 'windows'));
say(`Wine is ready (${seconds(began)})`);
const data = join(wine.folder, 'data');
rmSync(data, { recursive: true, force: true });
const settingsOf = (name: string) => ({
  DATABASE_URL: `sqlite:${wine.windowsPath(join(data, `${name}.db`))}`,
  DEMO_DATA: 'true',
  SMS_GATEWAY: 'off',
  RATE_LIMIT: '0',
});

/** Runs a command of scripts/ and returns what it printed; throws unless it succeeds. */
async function command(
  name: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<string> {
  const running = wine.node([`scripts/${name}.ts`, ...args], settings);
  const code = await running.ended;
  if (code !== 0) throw new Error(`${name} ended with ${code}:\n${running.output()}`);
  return running.output();
}

async function usual(): Promise<void> {
  const settings = settingsOf('hospital');
  const service = new WindowsService(wine, await freePort(), settings);
  await step('starts, answers all operations over all transports, stops at Ctrl-C', async () => {
    await service.start();
    const smoke = await runCommand(`node src/tpws.js smoke http://127.0.0.1:${service.port}`, ROOT, {}, 120_000);
    if (smoke.code !== 0) throw new Error(smoke.output + smoke.errors);
    return `stopped within ${await service.stop()} ms`;
  });
  await step('backs up and restores', async () => {
    const copy = wine.windowsPath(join(data, 'copy.db'));
    await command('backup', [copy], settings);
    const restored = await command('restore', ['--force', copy], settings);
    return restored.trim().split('\n').at(-1);
  });
  await step('imports, exports and is looked at by the doctor', async () => {
    const imported = { ...settingsOf('imported'), DEMO_DATA: 'false' };
    const files = ['centers', 'doctors', 'opening-hours'].map((name) => `examples/${name}.csv`);
    await command('import', files, imported);
    await command('export', ['--out', wine.windowsPath(join(data, 'export'))], imported);
    const exported = readFileSync(join(data, 'export', 'doctors.csv'), 'utf8')
      .trim()
      .split('\n').length;
    // It must complain about Node 22 and end with 1.
    const doctor = await command('doctor', [], imported).catch((error: Error) => error.message);
    if (!/^warning +file rights .*icacls/m.test(doctor)) throw new Error(doctor);
    return `${exported - 1} doctors`;
  });
}

async function underLoad(): Promise<void> {
  const rounds = values.short ? 2 : 10;
  const attacked = new WindowsService(wine, await freePort(), settingsOf('load'));
  await step(`loses nothing when it is killed under load ${rounds} times`, async () => {
    try {
      return `${await kills(attacked, join(data, 'load.db'), rounds)} bookings`;
    } finally {
      await attacked.kill();
    }
  });
}

const steps = values.suite === undefined ? [usual, underLoad] : [];
const waiting = [...steps, ...SUITES.map((path) => () => suite(path))];
async function lane(): Promise<void> {
  for (let work = waiting.shift(); work !== undefined; work = waiting.shift()) await work();
}
await Promise.all(Array.from({ length: LANES }, lane));
say(`${passed} passed, ${failed} failed, ${skipped} skipped, ${seconds(began)}`);
process.exitCode = failed === 0 ? 0 : 1;
