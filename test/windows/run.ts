/**
 * The service on Windows, as far as Debian's Wine goes: `npm run test:windows [-- --short]`. The short form has fewer kills and
 * leaves out the suites that take long. docs/windows.md tells what Wine is not.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runCommand } from '../interop/run-command.ts';
import { freePort } from '../support/process/free-port.ts';
import { kills } from './kills.ts';
import { WindowsService } from './windows-service.ts';
import { Wine } from './wine.ts';

const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } });
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SHORT = ['rules', 'store', 'commands/backup'];
const SUITES = [
  'contract',
  'operations',
  'transports',
  'access',
  'reference-data',
  'process',
  'log',
  'settings',
  'commands',
];
const SUITE_LIMIT = 900_000;

const say = (text: string): void => void process.stdout.write(`${text}\n`);
// Whatever was started ends with the process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

let passed = 0;
let failed = 0;
let skipped = 0;

async function step(name: string, work: () => Promise<string | undefined>): Promise<void> {
  const began = performance.now();
  const time = () => `${((performance.now() - began) / 1000).toFixed(1)} s`;
  try {
    const told = await work();
    passed++;
    say(`ok    ${name}${told === undefined ? '' : `: ${told}`} (${time()})`);
  } catch (error) {
    failed++;
    say(`FAIL  ${name} (${time()})\n${(error as Error).message}`);
  }
}

const began = performance.now();
const wine = await Wine.setUp(join(ROOT, 'test-output', 'windows'));
const data = join(wine.folder, 'data');
rmSync(data, { recursive: true, force: true });
const database = join(data, 'hospital.db');
const settings = {
  DATABASE_URL: `sqlite:${wine.windowsPath(database)}`,
  DEMO_DATA: 'true',
  SMS_GATEWAY: 'off',
  RATE_LIMIT: '0',
};

/** Runs a command of scripts/; throws unless it succeeds. Gives what it printed. */
async function command(
  name: string,
  args: readonly string[],
  others: Readonly<Record<string, string>> = {},
): Promise<string> {
  const running = wine.node([`scripts/${name}.ts`, ...args], { ...settings, ...others });
  const code = await running.ended;
  if (code !== 0) throw new Error(`${name} ended with ${code}:\n${running.output()}`);
  return running.output();
}

async function suite(folder: string): Promise<string> {
  const running = wine.node([
    'node_modules/mocha/bin/mocha.js',
    '--no-config',
    '--timeout',
    '120000',
    '--reporter',
    'spec',
    '--no-color',
    '--exit',
    `test/${folder}/**/*.test.ts`,
  ]);
  const timer = setTimeout(() => running.child.kill('SIGKILL'), SUITE_LIMIT);
  const code = await running.ended;
  clearTimeout(timer);
  const text = running.output();
  const count = (word: string) => Number(new RegExp(`^ +(\\d+) ${word}`, 'm').exec(text)?.[1] ?? 0);
  passed += count('passing');
  failed += count('failing');
  skipped += count('pending');
  if (text.includes('npm run test:postgres'))
    say('      skipped: the suites of PostgreSQL, which npm run test:postgres has a server for');
  for (const reason of new Set(text.match(/(?:skipped|not compared)\b.*$/gm))) say(`      ${reason}`);
  if (code !== 0 || count('passing') === 0)
    throw new Error(text.slice(text.search(/^ +\d+ passing/m)).slice(0, 20_000));
  return `${count('passing')} passing, ${count('pending')} skipped`;
}

try {
  const service = new WindowsService(wine, await freePort(), settings);
  await step('starts, answers all operations over all transports, stops at Ctrl-C', async () => {
    await service.start();
    const smoke = await runCommand(`node scripts/smoke.ts http://127.0.0.1:${service.port}`, ROOT, {}, 120_000);
    if (smoke.code !== 0) throw new Error(smoke.output + smoke.errors);
    return `stopped within ${await service.stop()} ms`;
  });
  await step('imports, exports and is looked at by the doctor', async () => {
    const url = { DATABASE_URL: `sqlite:${wine.windowsPath(join(data, 'imported.db'))}`, DEMO_DATA: 'false' };
    const files = ['centers', 'doctors', 'opening-hours'].map((name) => `examples/${name}.csv`);
    await command('import', files, url);
    await command('export', ['--out', wine.windowsPath(join(data, 'export'))], url);
    const exported = readFileSync(join(data, 'export', 'doctors.csv'), 'utf8')
      .trim()
      .split('\n').length;
    // It finds Node 22 wrong, as it should, and ends with 1.
    const doctor = await command('doctor', [], url).catch((error: Error) => error.message);
    if (!/^warning +file rights .*icacls/m.test(doctor)) throw new Error(doctor);
    return `${exported - 1} doctors`;
  });
  await step('backs up and restores', async () => {
    const copy = wine.windowsPath(join(data, 'copy.db'));
    await command('backup', [copy]);
    const restored = await command('restore', ['--force', copy]);
    return restored.trim().split('\n').at(-1);
  });
  const rounds = values.short ? 2 : 10;
  const load = join(data, 'load.db');
  const attacked = new WindowsService(wine, await freePort(), {
    ...settings,
    DATABASE_URL: `sqlite:${wine.windowsPath(load)}`,
  });
  await step(`loses nothing when it is killed under load ${rounds} times`, async () => {
    try {
      return `${await kills(attacked, load, rounds)} bookings`;
    } finally {
      await attacked.kill();
    }
  });
  for (const folder of values.short ? SHORT : [...SHORT.slice(0, 2), ...SUITES]) {
    await step(`suite ${folder}`, () => suite(folder));
  }
} finally {
  wine.dispose();
}
say(`${((performance.now() - began) / 1000).toFixed(0)} s`);
say(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed === 0 ? 0 : 1;
