/** Text messages with real peers: `npm run ci -- sms [-- --messages 1000 --kills 20 --seed N --only suites|endurance]`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readArguments } from '../../../scripts/ci/read-arguments.ts';
import { installPackages } from '../../clients/interop/install-packages.ts';
import { DEBIAN_PACKAGES } from '../../support/debian-packages.ts';
import { MOCHA } from '../../support/mocha.ts';
import { type EnduranceFigures, endurance } from './endurance.ts';

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const FOLDER = fileURLToPath(new URL('.', import.meta.url));

const { values } = readArguments('npm run ci -- sms --', {
  options: {
    messages: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string' },
  },
});
// Everything that was started ends with the process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

async function runSuites(): Promise<boolean> {
  const files = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.peers.ts') || file === 'smpp-gateway.test.ts')
    .sort()
    .map((file) => FOLDER + file);
  const options = [...MOCHA, '--timeout', '60000'];
  const mocha = spawn(process.execPath, [...options, ...files], { stdio: 'inherit' });
  process.once('exit', () => mocha.kill('SIGTERM'));
  const [code] = await once(mocha, 'exit');
  return code === 0;
}

function tell(figures: EnduranceFigures): boolean {
  const { acknowledged, arrived, lost, duplicates, explained, logged, requests, refused, broken } = figures;
  const failures = refused + broken;
  const unexplained = duplicates.filter((id) => !explained.includes(id));
  say(`
acknowledged              ${acknowledged}
reached the SMS center    ${arrived}
lost                      ${lost.length} ${lost.join(' ')}
sent twice                ${duplicates.length} ${duplicates.join(' ')}
  a kill between send and mark explains  ${explained.length}, of them in the log ${logged.length}
  unexplained                            ${unexplained.length} ${unexplained.join(' ')}
claimed at a kill         ${figures.interrupted}, of them sent once and settled by a receipt ${figures.settled}
takeovers                 ${figures.takeovers}
kills                     ${figures.kills}
calls repeated            ${figures.repeatedCalls}
requests to the gateway   ${requests}, failed ${failures} (${((100 * failures) / requests).toFixed(1)} %): 503 ${refused}, broken ${broken}
statuses at the end       ${JSON.stringify(figures.statuses)}
time                      ${(figures.milliseconds / 1000).toFixed(1)} s`);
  return lost.length === 0 && unexplained.length === 0;
}

let ok = true;
const missing = await installPackages(DEBIAN_PACKAGES.kannel);
if (missing.size > 0) {
  for (const [name, reason] of missing) say(`Package ${name} cannot be installed: ${reason}`);
  ok = false;
} else {
  if (values.only !== 'endurance') ok = await runSuites();
  if (values.only !== 'suites') {
    const [messages, kills, seed] = [values.messages, values.kills, values.seed].map(Number) as [
      number,
      number,
      number,
    ];
    say(`\n${messages} messages, ${kills} kills, seed ${seed}`);
    ok = tell(await endurance({ messages, kills, seed })) && ok;
  }
}
process.exitCode = ok ? 0 : 1;
