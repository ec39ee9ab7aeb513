// npm run bench -- replicas [--rounds 3] [--seconds 2] [--warm 3] [--percent 35]
// One process and two that share a port, all on one SQLite file, in turns. wrk needs a part of the machine: so that this part does not limit
// the processes, each gets only a percentage of a CPU once it is warm; 0 sets no limit. The kernel assigns connections by chance, hence many.
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { basename, join } from 'node:path';
import { installPackages } from '../../test/clients/interop/install-packages.ts';
import { readNumbers } from '../ci/read-arguments.ts';
import { requestFile } from './bench-requests.ts';
import { spread } from './bench-table.ts';
import { limitedGroup } from './limited-group.ts';
import { cpuSeconds } from './process-usage.ts';
import { runWrk } from './run-wrk.ts';
import { benchFolder, SERVICE, serviceSettings, startServer } from './server-process.ts';

const options = readNumbers('npm run bench -- replicas', {
  rounds: 3,
  seconds: 2,
  warm: 3,
  connections: 256,
  percent: 35,
});

const [ONE, BOTH] = [18741, 18742];
/** Each number of processes comes first and last, so that what changes meanwhile affects both alike. */
const TURNS = [ONE, BOTH, BOTH, ONE];
/** In microseconds; a longer one would make calls wait for most of it. */
const PERIOD = 10_000;
const connections = options.connections;
const quota = (PERIOD * options.percent) / 100;
const folder = benchFolder();
const start = (port: number) =>
  startServer(SERVICE, { ...serviceSettings(port, join(folder, 'bench.db')), SHARED_PORT: String(port === BOTH) });
// Bookings first, because Appointment_Status asks for one of them.
const files = [
  requestFile(folder, 'Fetch_Details', 'SOAP 1.1'),
  requestFile(folder, 'GetDoctor', 'SOAP 1.1'),
  requestFile(folder, 'Appointment_Status', 'GET'),
];
let bookings = 0;

async function measure(port: number, file: string, seconds: number, pids: readonly number[]) {
  const used = () => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  const idle = () => cpus().reduce((sum, { times }) => sum + times.idle / 1000, 0);
  const [usedBefore, idleBefore] = [used(), idle()];
  const wrk = await runWrk({ port, connections, seconds, file, bookings });
  // What was in flight at the end may have been booked without being counted.
  bookings += wrk.requests + connections * 2;
  if (wrk.errors > 0) process.exitCode = 1;
  const cost = ((used() - usedBefore) / wrk.requests) * 1e6;
  return [wrk.requests / wrk.seconds, cost, wrk.p99, (idle() - idleBefore) / wrk.seconds, wrk.errors];
}

await installPackages(['wrk']);
const group = () =>
  limitedGroup('cpu', { 'cpu.cfs_period_us': PERIOD, 'cpu.cfs_quota_us': quota }, { 'cpu.max': `${quota} ${PERIOD}` });
const groups = quota > 0 ? [group(), group(), group()] : [];
if (groups.includes(undefined)) throw new Error('No cgroup can be created, which --percent 0 does not need');
/** By request and port: the figures of each turn. */
const figures = new Map<string, (readonly number[])[]>();
for (let round = 0; round < options.rounds; round++) {
  const processes = [await start(ONE), await start(BOTH), await start(BOTH)];
  try {
    const pids = processes.map(({ pid }) => pid);
    for (const file of files) for (const port of [ONE, BOTH]) await measure(port, file, options.warm, pids);
    for (const [index, members] of groups.entries()) writeFileSync(members ?? '', String(pids[index]));
    for (const file of files) {
      for (const port of TURNS) {
        const key = `${basename(file, '.txt')} | ${port === ONE ? 1 : 2}`;
        figures.set(key, [...(figures.get(key) ?? []), await measure(port, file, options.seconds, pids)]);
      }
    }
  } finally {
    for (const each of processes) await each.stop();
  }
}
console.log('| Request | processes | answers per second | of one | µs of CPU each | p99 ms | CPUs idle | errors |');
console.log('|---|---:|---:|---:|---:|---:|---:|---:|');
for (const [key, turns] of figures) {
  const one = figures.get(key.replace(/2$/, '1')) ?? [];
  const rows = turns.map(([answers = 0, ...rest], turn) => [answers, answers / (one[turn]?.[0] ?? 0), ...rest]);
  const column = (index: number, digits: number) =>
    spread(
      rows.flatMap((row) => row[index] ?? []),
      digits,
    );
  console.log(`| ${key} | ${[0, 2, 0, 1, 2, 0].map((digits, index) => column(index, digits)).join(' | ')} |`);
}
