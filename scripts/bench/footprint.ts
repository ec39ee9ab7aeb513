// npm run bench -- footprint [--starts 10] [--reads 100000] [--bookings 200000] [--minutes 20]
// What a start costs, and how much memory the service needs for reads and for bookings, on SQLite. Each load ends with its number of calls or
// after its minutes. CPU time depends on the other load of the machine.
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { installPackages } from '../../test/clients/interop/install-packages.ts';
import { readNumbers } from '../ci/read-arguments.ts';
import { type BenchTransport, requestFile } from './bench-requests.ts';
import { spread } from './bench-table.ts';
import { cpuSeconds, memory } from './process-usage.ts';
import { runWrk } from './run-wrk.ts';
import { benchFolder, SERVICE, serviceSettings, startServer } from './server-process.ts';

const options = readNumbers('npm run bench -- footprint', { starts: 10, reads: 100000, bookings: 200000, minutes: 20 });

const PORT = 18690;
const CONNECTIONS = 32;
const SLICE_SECONDS = 5;
const work = benchFolder();
const start = (database: string, environment = {}) =>
  startServer(SERVICE, { ...serviceSettings(PORT, join(work, database)), ...environment });

async function measureStarts(): Promise<void> {
  console.log('\n| Start | s to ready | CPU s | MiB when ready |\n|---|---:|---:|---:|');
  for (const [name, cache] of [
    ['compiled by an earlier start', {}],
    ['nothing compiled', { NODE_DISABLE_COMPILE_CACHE: '1' }],
  ] as const) {
    // The first start creates the database, and leaves what it compiled.
    await (await start('starts.db', cache)).stop();
    const [seconds, cpu, ready]: [number[], number[], number[]] = [[], [], []];
    for (let n = 0; n < options.starts; n++) {
      const started = await start('starts.db', cache);
      cpu.push(cpuSeconds(started.pid));
      ready.push(memory(started.pid).now);
      seconds.push(started.seconds);
      await started.stop();
    }
    console.log(`| ${name} | ${spread(seconds, 2)} | ${spread(cpu, 2)} | ${spread(ready, 0)} |`);
  }
}

async function measureLoad(operation: string, calls: number, transports: readonly BenchTransport[]): Promise<void> {
  const files = transports.map((transport) => requestFile(work, operation, transport));
  const started = await start(`${operation}.db`);
  const { pid } = started;
  const deadline = performance.now() + options.minutes * 60_000;
  let [answers, sent, failed, late] = [0, 0, 0, 0];
  console.log(`\n| ${operation} over ${transports.join(' and ')}, calls | MiB | peak MiB | µs of CPU per call |`);
  console.log('|---:|---:|---:|---:|');
  let cost = '';
  try {
    for (let slice = 0; ; slice++) {
      const { now, peak } = memory(pid);
      console.log(`| ${answers} | ${now.toFixed(0)} | ${peak.toFixed(0)} | ${cost} |`);
      if (answers >= calls || performance.now() > deadline) break;
      const cpu = cpuSeconds(pid);
      const figures = await runWrk({
        port: PORT,
        connections: CONNECTIONS,
        seconds: SLICE_SECONDS,
        file: files[slice % files.length] ?? '',
        bookings: sent,
      });
      cost = (((cpuSeconds(pid) - cpu) / figures.requests) * 1e6).toFixed(0);
      answers += figures.requests;
      // What was in flight at the end may have been booked without being counted.
      sent += figures.requests + CONNECTIONS * 2;
      failed += figures.errors - figures.late;
      late += figures.late;
    }
  } finally {
    await started.stop();
  }
  console.log(`\n${failed} calls failed, ${late} took more than 2 s`);
  if (failed > 0) process.exitCode = 1;
}

await installPackages(['wrk']);
const machine = `${cpus()[0]?.model} x ${availableParallelism()}`;
console.log(`${new Date().toISOString()}, ${machine}, Node ${process.version}`);
if (options.starts > 0) await measureStarts();
if (options.reads > 0) await measureLoad('GetDoctor', options.reads, ['SOAP 1.1', 'GET']);
if (options.bookings > 0) await measureLoad('Fetch_Details', options.bookings, ['SOAP 1.1', 'POST']);
