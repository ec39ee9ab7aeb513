// npm run bench -- ten-years [--rows 1000000] [--few 10000] [--mebibytes 256] [--rate 300] [--seconds 60]
//   [--database postgres://…/few,postgres://…/many]
// What the commands, started as by deploy/systemd/tpws, cost in a database of many appointments beside one of few, and how long
// callers wait meanwhile: the service, which deletes old appointments, and the commands share one CPU and, if there can be one, a cgroup with
// little memory; the calls come from the other CPU. All commands but imports are repeated until the seconds are over. Uses SQLite in a temporary folder
// unless two empty databases are named.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { root } from '../../test/house/source-files.ts';
import { readArguments } from '../ci/read-arguments.ts';
import { limitedGroup } from './limited-group.ts';
import { mixedLoad } from './mixed-load.ts';
import { cpuSeconds, memory } from './process-usage.ts';
import { benchFolder, SERVICE, serviceSettings, startServer } from './server-process.ts';
import { phoneOf, SLOTS_A_DAY, writeHospital } from './write-hospital.ts';

const { values: options } = readArguments('npm run bench -- ten-years', {
  options: {
    rows: { type: 'string', default: '1000000' },
    few: { type: 'string', default: '10000' },
    mebibytes: { type: 'string', default: '256' },
    rate: { type: 'string', default: '300' },
    seconds: { type: 'string', default: '60' },
    database: { type: 'string' },
  },
});
const TPWS = new URL('src/tpws.js', root).pathname;
const PORT = 18720;
const DOCTORS = 1000;
/** So many days of appointments are old enough to be deleted. */
const DELETED_DAYS = 3;
const bytes = Number(options.mebibytes) * 2 ** 20;
const processes = limitedGroup('memory', { 'memory.limit_in_bytes': bytes }, { 'memory.max': bytes });
if (processes === undefined) console.log('No cgroup can be created: memory is not limited.');
const enter = processes === undefined ? '' : `echo $$ > ${processes}; `;
/** Starts Node on the first CPU, with little memory. */
const LIMITED = ['sh', '-c', `${enter}exec taskset -c 0 "$@"`, 'sh', process.execPath];

/** Runs a command of tpws, in a process of its own. Resolves with its seconds, CPU seconds and MiB at the peak. */
async function tpws(folder: string, database: string, args: readonly string[]): Promise<readonly string[]> {
  const began = performance.now();
  const [program = '', ...start] = LIMITED;
  const child = spawn(program, [...start, '--max-semi-space-size=8', TPWS, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', DATABASE_URL: database, SQLITE_TMPDIR: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let usage = { cpu: 0, peak: 0 };
  const looking = setInterval(() => {
    try {
      // One that is ending has no memory any longer.
      const peak = Math.max(usage.peak, memory(child.pid as number).peak);
      usage = { cpu: cpuSeconds(child.pid as number), peak };
    } catch {
      // It has ended.
    }
  }, 20);
  const [code] = await once(child, 'exit');
  clearInterval(looking);
  if (code !== 0) throw new Error(`tpws ${args[0]} ended with ${code}`);
  return [((performance.now() - began) / 1000).toFixed(1), usage.cpu.toFixed(1), usage.peak.toFixed(0)];
}

async function measure(rows: number, database: string | undefined): Promise<ReadonlyMap<string, readonly string[]>> {
  const folder = benchFolder();
  const url = database ?? `sqlite:${join(folder, 'hospital.db')}`;
  const days = Math.ceil(rows / DOCTORS / SLOTS_A_DAY);
  const firstDay = Temporal.Now.plainDateISO().subtract({ days: days - 2 });
  const hospital = { centers: 20, doctors: DOCTORS, appointments: rows, firstDay };
  const files = await writeHospital(folder, hospital);
  const costs = new Map<string, readonly string[]>();
  const run = async (name: string, ...args: readonly string[]) => void costs.set(name, await tpws(folder, url, args));
  // Alone: with the service, they would need more memory.
  await run('import', 'import', ...files);
  await run('import again', 'import', ...files);
  const service = await startServer([...LIMITED, ...SERVICE.slice(1)], {
    ...serviceSettings(PORT, ''),
    DATABASE_URL: url,
    DEMO_DATA: 'false',
    APPOINTMENT_RETENTION_DAYS: `${Math.max(1, days - DELETED_DAYS)}`,
  });
  process.once('exit', () => service.child.kill());
  let isOver = false;
  const load = mixedLoad(PORT, Number(options.rate), hospital, () => isOver);
  const end = performance.now() + Number(options.seconds) * 1000;
  do {
    if (database === undefined) await run('backup', 'backup', 'backup.db');
    rmSync(join(folder, 'backup.db'), { force: true });
    await run('export', 'export', '--out', 'all');
    await run('export --since', 'export', '--out', 'since', '--since', new Date().toISOString());
    await run('patient find', 'patient', 'find', '--phone', phoneOf(1), '--registration', 'MRN-7');
    await run('audit', 'audit', '--out', 'audit.csv');
  } while (performance.now() < end);
  isOver = true;
  if ((await load) > 0) process.exitCode = 1;
  await service.stop();
  return costs;
}

if (availableParallelism() > 1) execFileSync('taskset', ['-acp', '1', `${process.pid}`], { stdio: 'ignore' });
const [fewUrl, manyUrl] = options.database?.split(',') ?? [];
const few = await measure(Number(options.few), fewUrl);
const many = await measure(Number(options.rows), manyUrl);
console.log(`\n| Command | s | CPU s | MiB at its peak | with ${options.few}: s | CPU s | MiB |`);
console.log('|---|---:|---:|---:|---:|---:|---:|');
for (const [name, cost] of many) console.log(`| ${[name, ...cost, ...(few.get(name) ?? [])].join(' | ')} |`);
