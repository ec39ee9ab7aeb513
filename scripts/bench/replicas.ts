// npm run bench -- replicas [--rounds 3] [--seconds 2] [--warm 3] [--percent 35]
// One replica and two on one SQLite file, in turns, behind nginx with the supplied configuration. nginx and wrk need a part of the machine: so
// that this part does not limit the replicas, each gets only a percentage of a CPU once it is warm; 0 sets no limit.
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { basename, join } from 'node:path';
import { installPackages } from '../../test/interop/install-packages.ts';
import { startNginx } from '../../test/packaging/start-nginx.ts';
import { DEBIAN_PACKAGES } from '../../test/support/debian-packages.ts';
import { readNumbers } from '../read-arguments.ts';
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
  connections: 64,
  percent: 35,
});

const [FIRST, SECOND, BEFORE_ONE, BEFORE_BOTH] = [18741, 18742, 18743, 18744];
/** Each number of replicas comes first and last, so that what changes meanwhile affects both alike. */
const TURNS = [BEFORE_ONE, BEFORE_BOTH, BEFORE_BOTH, BEFORE_ONE];
/** In microseconds; a longer one would make calls wait for most of it. */
const PERIOD = 10_000;
const connections = options.connections;
const quota = (PERIOD * options.percent) / 100;
const folder = benchFolder();
const start = (port: number) =>
  startServer(SERVICE, { ...serviceSettings(port, join(folder, 'bench.db')), TRUSTED_PROXIES: '127.0.0.1/32' });
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
  const wrk = await runWrk({ port, isSecure: true, connections, seconds, file, bookings });
  // What was in flight at the end may have been booked without being counted.
  bookings += wrk.requests + connections * 2;
  if (wrk.errors > 0) process.exitCode = 1;
  const cost = ((used() - usedBefore) / wrk.requests) * 1e6;
  return [wrk.requests / wrk.seconds, cost, wrk.p99, (idle() - idleBefore) / wrk.seconds, wrk.errors];
}

await installPackages(['wrk', ...DEBIAN_PACKAGES.packaging]);
const group = () =>
  limitedGroup('cpu', { 'cpu.cfs_period_us': PERIOD, 'cpu.cfs_quota_us': quota }, { 'cpu.max': `${quota} ${PERIOD}` });
const groups = quota > 0 ? [group(), group()] : [];
if (groups.includes(undefined)) throw new Error('No cgroup can be created, which --percent 0 does not need');
const fronts = [
  await startNginx(join(folder, 'one'), BEFORE_ONE, [FIRST, FIRST]),
  await startNginx(join(folder, 'both'), BEFORE_BOTH, [FIRST, SECOND]),
];
/** By request and port: the figures of each turn. */
const figures = new Map<string, (readonly number[])[]>();
try {
  for (let round = 0; round < options.rounds; round++) {
    const replicas = [await start(FIRST), await start(SECOND)];
    try {
      const pids = replicas.map(({ pid }) => pid);
      for (const file of files) await measure(BEFORE_BOTH, file, options.warm, pids);
      for (const [index, processes] of groups.entries()) writeFileSync(processes ?? '', String(pids[index]));
      for (const file of files) {
        for (const port of TURNS) {
          const key = `${basename(file, '.txt')} | ${port === BEFORE_ONE ? 1 : 2}`;
          figures.set(key, [...(figures.get(key) ?? []), await measure(port, file, options.seconds, pids)]);
        }
      }
    } finally {
      for (const replica of replicas) await replica.stop();
    }
  }
} finally {
  for (const front of fronts) await front.stop();
}
console.log('| Request | replicas | answers per second | of one | µs of CPU each | p99 ms | CPUs idle | errors |');
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
