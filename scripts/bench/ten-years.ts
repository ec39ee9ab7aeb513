// npm run bench -- ten-years [--rows 1000000] [--few 10000] [--mebibytes 256] [--database postgres://…/few,postgres://…/many]
// What the commands, started as deploy/systemd/tpws starts them, cost in a database of many appointments beside one of few, each in a cgroup
// with little memory if there can be one, on one CPU, and how long callers wait meanwhile. Uses SQLite in a temporary folder unless two empty
// databases are named.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from '../../test/house/source-files.ts';
import { readArguments } from '../read-arguments.ts';
import { limitedGroup } from './limited-group.ts';
import { cpuSeconds, memory } from './process-usage.ts';
import { benchFolder, SERVICE, serviceSettings, startServer } from './server-process.ts';
import { phoneOf, writeHospital } from './write-hospital.ts';

const { values: options } = readArguments('npm run bench -- ten-years', {
  options: {
    rows: { type: 'string', default: '1000000' },
    few: { type: 'string', default: '10000' },
    mebibytes: { type: 'string', default: '256' },
    database: { type: 'string' },
  },
});
const TPWS = new URL('src/tpws.js', root).pathname;
const PORT = 18720;
const CALL_EVERY_MS = 20;
const FIRST_DAY = '2027-01-01';
const bytes = Number(options.mebibytes) * 2 ** 20;
const processes = limitedGroup('memory', { 'memory.limit_in_bytes': bytes }, { 'memory.max': bytes });
console.log(
  processes === undefined ? 'No cgroup can be created: memory is not limited.' : `${options.mebibytes} MiB each`,
);

interface Cost {
  readonly seconds: number;
  readonly cpu: number;
  readonly peak: number;
}

/** Runs a command of tpws in a process of its own. */
async function tpws(folder: string, database: string, args: readonly string[]): Promise<Cost> {
  const began = performance.now();
  const command = ['taskset', '-c', '0', process.execPath, '--max-semi-space-size=8', TPWS, ...args];
  const enter = processes === undefined ? '' : `echo $$ > ${processes}; `;
  const child = spawn('sh', ['-c', `${enter}exec "$@"`, 'sh', ...command], {
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
  return { seconds: (performance.now() - began) / 1000, ...usage };
}

/** Calls the service again and again until `isOver`; resolves with the durations in ms, in ascending order. */
async function callMeanwhile(rows: number, isOver: () => boolean): Promise<readonly number[]> {
  const durations: number[] = [];
  for (let call = 0; !isOver(); call++) {
    const began = performance.now();
    const path =
      call % 2 === 0
        ? 'GetDoctor?centerid=1'
        : `Appointment_Status?centerid=1&AppointmentID=${10_000 + 20 * (call % Math.ceil(rows / 20))}`;
    const answer = await fetch(`http://127.0.0.1:${PORT}/TPWebServices.asmx/${path}`);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
    durations.push(performance.now() - began);
    await new Promise((resume) => setTimeout(resume, CALL_EVERY_MS));
  }
  return durations.sort((a, b) => a - b);
}

async function measure(rows: number, database: string | undefined): Promise<ReadonlyMap<string, Cost>> {
  const folder = benchFolder();
  const url = database ?? `sqlite:${join(folder, 'hospital.db')}`;
  const files = await writeHospital(folder, { centers: 20, doctors: 1000, appointments: rows }, FIRST_DAY);
  const costs = new Map<string, Cost>();
  const run = async (name: string, ...args: readonly string[]) => void costs.set(name, await tpws(folder, url, args));
  await run('import', 'import', ...files);
  const service = await startServer(SERVICE, { ...serviceSettings(PORT, ''), DATABASE_URL: url, DEMO_DATA: 'false' });
  process.once('exit', () => service.child.kill());
  let isOver = false;
  const calling = callMeanwhile(rows, () => isOver);
  await run('import again', 'import', ...files);
  await run('export', 'export', '--out', 'all');
  await run('export --since', 'export', '--out', 'since', '--since', new Date().toISOString());
  await run('patient find', 'patient', 'find', '--phone', phoneOf(1), '--registration', 'MRN-7');
  await run('audit', 'audit', '--out', 'audit.csv');
  if (database === undefined) await run('backup', 'backup', 'backup.db');
  isOver = true;
  const durations = await calling;
  const p99 = durations[Math.floor(durations.length * 0.99)] ?? 0;
  console.log(
    `${rows.toLocaleString('en')} appointments: ${durations.length} calls meanwhile, p99 ${p99.toFixed(0)} ms, longest ${durations.at(-1)?.toFixed(0)} ms`,
  );
  await service.stop();
  return costs;
}

const [fewUrl, manyUrl] = options.database?.split(',') ?? [];
const few = await measure(Number(options.few), fewUrl);
const many = await measure(Number(options.rows), manyUrl);
console.log(
  `\n| Command | s | CPU s | MiB at its peak | with ${options.few}: s | CPU s | MiB |\n|---|---:|---:|---:|---:|---:|---:|`,
);
for (const [name, cost] of many) {
  const cells = [cost, few.get(name)].flatMap((one) => [
    one?.seconds.toFixed(1),
    one?.cpu.toFixed(1),
    one?.peak.toFixed(0),
  ]);
  console.log(`| ${name} | ${cells.join(' | ')} |`);
}
