import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMeasuredService } from '../../test/support/process/measured-service.ts';
import { readNumbers } from '../ci/read-arguments.ts';
import { type FuzzFinding, fuzz } from './fuzz.ts';

/**
 * Sends mutated requests for every operation and transport to a service in a separate process, and checks every answer.
 * Exits 1 if anything is found; a file then contains what was sent and answered.
 */
const REPORT = join(tmpdir(), 'tpwebservices-fuzz-findings.txt');
const options = readNumbers('npm run ci -- fuzz --', {
  count: 100_000,
  seed: Date.now() % 1_000_000_000,
  first: 0,
  connections: 32,
  // Milliseconds; on a shared machine, the time of an answer depends on the other load.
  'longest-answer': 1000,
});
const { seed, count } = options;

const service = await startMeasuredService({ LOG_LEVEL: 'error' });
const began = performance.now();
const memoryBefore = service.residentMemory();
const result = await fuzz({ port: service.port, ...options, longestAnswer: options['longest-answer'] });
const seconds = (performance.now() - began) / 1000;
const findings: FuzzFinding[] = [...result.findings];
const add = (problem: string, answered = '') =>
  findings.push({ number: -1, mutations: [], problems: [problem], sent: '', answered });
const memory = `${Math.round(memoryBefore / 1e6)} → ${Math.round(service.residentMemory() / 1e6)} MB`;
const exitCode = service.isAlive() ? await service.stop() : undefined;
if (exitCode === undefined) add('the process ended');
else if (exitCode !== 0) add(`the stop gave ${exitCode}`);
const logged = service.logLines().map((line) => JSON.stringify(line));
if (logged.length > 0) add('the service logged an error', logged.slice(0, 20).join('\n'));
if (service.errors() !== '') add('standard error holds text', service.errors());

console.log(
  `${count} requests, seed ${seed}, ${Math.round(count / seconds)} requests/s, ` +
    `slowest answer ${Math.round(result.slowest)} ms, memory ${memory}`,
);
console.table(result.statuses);
if (findings.length === 0) {
  console.log('Nothing found.');
} else {
  const text = findings
    .map((f) => `# ${f.number}: ${f.problems.join('; ')}\n# ${f.mutations.join(', ')}\n${f.sent}\n\n${f.answered}\n`)
    .join('\n');
  writeFileSync(REPORT, text);
  for (const { number, problems, mutations } of findings.slice(0, 20)) {
    console.log(`${number}: ${problems.join('; ')} (${mutations.join(', ')})`);
  }
  console.log(`${findings.length} findings; the exchanges are in ${REPORT}`);
  console.log(`Repeat one by: npm run ci -- fuzz -- --seed ${seed} --first NUMBER --count 1`);
  process.exitCode = 1;
}
