// npm run bench -- growth [--rows 10000000] [--few 10000] [--calls 2000] [--database postgres://…/few,postgres://…/many]
// How much slower calls become as the database grows: two services, one with few appointments and one with many, called alternately by one
// client. Only the ratios within one run are meaningful. Uses SQLite in a temporary folder unless two empty databases are named.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../src/settings/config.ts';
import { openStore } from '../../src/store/open-store.ts';
import { readArguments } from '../ci/read-arguments.ts';
import { median } from './bench-table.ts';
import { fillDatabase } from './fill-database.ts';
import { CALLS, call } from './hospital-calls.ts';
import { memory } from './process-usage.ts';
import { benchFolder, SERVICE, type ServerProcess, serviceSettings, startServer } from './server-process.ts';
import type { Hospital } from './write-hospital.ts';

const { values: options } = readArguments('npm run bench -- growth', {
  options: {
    rows: { type: 'string', default: '10000000' },
    few: { type: 'string', default: '10000' },
    calls: { type: 'string', default: '2000' },
    database: { type: 'string' },
  },
});

const DAY = 24 * 60 * 60 * 1000;
const BASE_PORT = 18700;
const folder = benchFolder();

interface Target {
  readonly filled: Hospital;
  readonly server: ServerProcess;
  readonly port: number;
}

async function open(url: string, rows: number, port: number): Promise<Target> {
  const location = readConfig({ DATABASE_URL: url }).database;
  await (await openStore(location)).close();
  const began = performance.now();
  const filled = await fillDatabase(location, rows, Math.floor(Date.now() / DAY));
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const size = location.kind === 'sqlite' ? `, ${(statSync(location.path).size / 2 ** 20).toFixed(0)} MiB` : '';
  console.log(`${rows.toLocaleString('en')} appointments of ${filled.doctors} doctors in ${seconds} s${size}`);
  const settings = { ...serviceSettings(port, ''), DATABASE_URL: url, DEMO_DATA: 'false' };
  return { filled, server: await startServer(SERVICE, settings), port };
}

const [fewUrl = `sqlite:${join(folder, 'few.db')}`, manyUrl = `sqlite:${join(folder, 'many.db')}`] =
  options.database?.split(',') ?? [];
const targets: Target[] = [];
try {
  targets.push(await open(fewUrl, Number(options.few), BASE_PORT));
  targets.push(await open(manyUrl, Number(options.rows), BASE_PORT + 1));
  console.log('| Operation | few p50 ms | many p50 ms | ratio |\n|---|---:|---:|---:|');
  for (const [name, pathOf] of Object.entries(CALLS)) {
    const times = targets.map((): number[] => []);
    // Alternating, so that the machine's other load affects both alike. The first tenth is warm-up.
    for (let n = 0; n < Number(options.calls) * 1.1; n++) {
      for (const [index, { port, filled }] of targets.entries()) {
        const began = performance.now();
        await call(port, pathOf(n, filled));
        const took = performance.now() - began;
        if (n > Number(options.calls) * 0.1) times[index]?.push(took);
      }
    }
    const [few = 0, many = 0] = times.map(median);
    console.log(`| ${name} | ${[few, many, many / few].map((cell) => cell.toFixed(2)).join(' | ')} |`);
  }
  for (const { filled, server } of targets) {
    const [start, peak] = [server.seconds * 1000, memory(server.pid).peak].map((value) => value.toFixed(0));
    const rows = filled.appointments.toLocaleString('en');
    console.log(`${rows} rows: start to ready ${start} ms, peak memory ${peak} MiB`);
  }
} finally {
  for (const { server } of targets) await server.stop();
}
