/**
 * The service on Windows, as far as Debian's Wine goes: `npm run ci -- windows [-- --kills N]`. docs/operators/windows.md describes how Wine differs
 * from Windows.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from '../../../scripts/ci/read-arguments.ts';
import { TRANSPORTS, type Transport } from '../../../src/contract/contract.ts';
import { runCommand } from '../../clients/interop/run-command.ts';
import { BOOKING_PARAMETERS } from '../../support/http/booking-parameters.ts';
import { callOver } from '../../support/http/four-transports.ts';
import { freePort } from '../../support/process/free-port.ts';
import { kills } from './kills.ts';
import { WindowsService } from './windows-service.ts';
import { Wine } from './wine.ts';

const { values } = readArguments('npm run ci -- windows --', { options: { kills: { type: 'string', default: '2' } } });
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const CALLERS = 40;

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;
// Everything that was started ends with the process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

let passed = 0;
let failed = 0;

async function step(name: string, work: () => Promise<string>): Promise<void> {
  const began = performance.now();
  try {
    const result = await work();
    passed++;
    say(`ok    ${name}: ${result} (${seconds(began)})`);
  } catch (error) {
    failed++;
    say(`FAIL  ${name} (${seconds(began)})\n${(error as Error).message}`);
  }
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
const settings = settingsOf('hospital');
const service = new WindowsService(wine, await freePort(), settings);

/** Runs `tpws` on Wine and returns the last line that it printed; throws unless it succeeds. */
async function tpws(...args: readonly string[]): Promise<string> {
  const running = wine.node(['src/tpws.js', ...args], settings);
  const code = await running.ended;
  if (code !== 0) throw new Error(`tpws ${args[0]} ended with ${code}:\n${running.output()}`);
  return running.output().trim().split('\n').at(-1) ?? '';
}

/** Books one slot for many patients at once, over all transports in turn. Returns how often each ResultCode was answered. */
async function rush(): Promise<string> {
  const day = Temporal.Now.plainDateISO('UTC').add({ days: 300 }).toString();
  const moment = { app_date: `${day}T00:00:00`, app_time: `${day}T10:15:00` };
  const endpoint = `http://127.0.0.1:${service.port}/TPWebServices.asmx`;
  const answers = await Promise.all(
    Array.from({ length: CALLERS }, (_, n) =>
      callOver(TRANSPORTS[n % TRANSPORTS.length] as Transport, endpoint, 'Fetch_Details', {
        ...BOOKING_PARAMETERS,
        ...moment,
        RegistrationNumber: `ONE-${n}`,
      }),
    ),
  );
  const codes = Map.groupBy(answers, ({ record, text }) => record.ResultCode ?? text);
  return [...codes]
    .map(([code, { length }]) => `${length} × ${code}`)
    .sort()
    .join(', ');
}

await step('starts, and answers all operations over all transports', async () => {
  await service.start();
  const smoke = await runCommand(`node src/tpws.js smoke http://127.0.0.1:${service.port}`, ROOT, {}, 120_000);
  if (smoke.code !== 0) throw new Error(smoke.output + smoke.errors);
  return smoke.output.trim().split('\n').at(-1) ?? '';
});
await step('gives one slot to one patient', async () => {
  const [answers, expected] = [await rush(), `1 × 0, ${CALLERS - 1} × 14`];
  if (answers !== expected) throw new Error(`expected ${expected}, got ${answers}`);
  return answers;
});
await step('stops at Ctrl-C', async () => `within ${await service.stop()} ms`);
const copy = wine.windowsPath(join(data, 'copy.db'));
await step('backs up', () => tpws('backup', copy));
await step('restores', () => tpws('restore', '--force', copy));
await step(`loses nothing when it is killed under load ${values.kills} times`, async () => {
  const attacked = new WindowsService(wine, await freePort(), settingsOf('load'));
  try {
    return `${await kills(attacked, join(data, 'load.db'), Number(values.kills))} bookings`;
  } finally {
    await attacked.kill();
  }
});
say(`${passed} passed, ${failed} failed, ${seconds(began)}`);
process.exitCode = failed === 0 ? 0 : 1;
