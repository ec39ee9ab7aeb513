// npm run ci -- rehearsal -- [--old URL] [--count N] [--seed N]: sends mutated requests to an old service, directly and through a rehearsal,
// and compares the answers byte for byte. Without --old, it uses a stand-in for one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { readArguments } from '../../../scripts/ci/read-arguments.ts';
import { fuzzedRequest } from '../../../scripts/fuzz/fuzzed-request.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { answersAlike } from '../../support/http/answer-bytes.ts';
import { startOldService } from '../../support/http/old-service.ts';
import { freePort } from '../../support/process/free-port.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { ownContract } from '../../wire/contract/own-wsdl.ts';

/**
 * How long an old service may send nothing, in milliseconds: a request that was cut short has no answer. It creates some of its pages when
 * they are first requested, which may take longer.
 */
const SILENCES = [3000, 20_000];
const AT_ONCE = 8;

const { values } = readArguments('npm run ci -- rehearsal --', {
  options: {
    old: { type: 'string' },
    count: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
  },
});
const [count, seed] = [Number(values.count), Number(values.seed)];
const folder = temporaryFolder();
const standIn = values.old === undefined ? await startOldService() : undefined;
const old = new URL(values.old ?? standIn?.url ?? '');
const path = join(folder.path, 'trial.db');
await (await openStore({ kind: 'sqlite', path, timeoutMs: 5000 })).close();
const port = await freePort();
const rehearsal = spawn(
  process.execPath,
  ['src/tpws.js', 'rehearse', '--old', old.href, '--listen', String(port), '--out', folder.path],
  { env: { ...process.env, DATABASE_URL: `sqlite:${path}` }, stdio: ['ignore', 'pipe', 'inherit'] },
);
let output = '';
rehearsal.stdout.setEncoding('utf8').on('data', (text: string) => {
  output += text;
});
while (!output.includes('Ctrl-C')) await once(rehearsal.stdout, 'data');

const today = Temporal.Now.plainDateISO();
const days = [1, 2, 3].map((ahead) => today.add({ days: ahead }).toString());
const different: string[] = [];
let next = 0;
async function compare(): Promise<void> {
  while (next < count) {
    const number = next++;
    const { bytes, mutations } = fuzzedRequest(ownContract, seed, number, days);
    const isSame = await answersAlike(Number(old.port || 80), port, bytes, SILENCES);
    if (!isSame) different.push(`${number}: ${mutations.join(', ')}`);
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, compare));
rehearsal.kill('SIGINT');
await once(rehearsal, 'close');
await standIn?.close();
folder.remove();

console.log(output);
for (const line of different) console.log(`different: ${line}`);
console.log(`${count - different.length} of ${count} answers came through the rehearsal byte for byte (seed ${seed}).`);
process.exitCode = different.length === 0 ? 0 : 1;
