// npm run bench -- footprint [--starts 10] [--reads 100000] [--bookings 200000] [--minutes 20] [--cold] [--node-option=--flag …]
// What a start costs, and how much memory the service needs for reads and for bookings, on SQLite, set up as bench.ts does. Each load ends
// with its number of calls or after its minutes; with --cold, the service that it calls finds nothing compiled. CPU time depends on the
// other load of the machine; instructions do not. They are counted if `perf` is installed and the machine has a counter for them.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { readContract } from '../../src/contract/read-contract.ts';
import { DEPLOYED_NODE_OPTIONS } from '../../test/support/process/deployed-node-options.ts';
import { readArguments } from '../read-arguments.ts';
import { type BenchTransport, benchRequest } from './bench-requests.ts';
import { installWrk } from './install-wrk.ts';
import { cpuSeconds, memory } from './process-usage.ts';
import { runWrk } from './run-wrk.ts';

const { values: options } = readArguments('npm run bench -- footprint', {
  options: {
    starts: { type: 'string', default: '10' },
    reads: { type: 'string', default: '100000' },
    bookings: { type: 'string', default: '200000' },
    minutes: { type: 'string', default: '20' },
    cold: { type: 'boolean', default: false },
    'node-option': { type: 'string', multiple: true, default: [...DEPLOYED_NODE_OPTIONS] },
  },
});

const PORT = 18690;
const CONNECTIONS = 32;
const SLICE_SECONDS = 5;
const here = import.meta.dirname;
const work = mkdtempSync(join(tmpdir(), 'tpwebservices-bench-'));
const contract = readContract(readFileSync(join(here, '../../wsdl/TPWebServices.wsdl'), 'utf8'));
const PROGRAM = [process.execPath, ...options['node-option'], join(here, '../../src/start.js')];

interface Started {
  readonly child: ChildProcess;
  /** Of the service itself, which may be a child of `perf`. */
  readonly pid: number;
  readonly seconds: number;
}

/** The settings of a service with a database file of its own; nothing else of this process's environment changes what is measured. */
const settings = (database: string) => ({
  PATH: process.env.PATH ?? '',
  PORT: String(PORT),
  DATABASE_URL: `sqlite:${join(work, database)}`,
  DEMO_DATA: 'true',
  SMS_GATEWAY: 'off',
  // The limit is counted, and never reached.
  RATE_LIMIT: String(10 ** 8),
});

async function start(env: Record<string, string>, below: readonly string[] = []): Promise<Started> {
  const [command = '', ...args] = [...below, ...PROGRAM];
  const before = performance.now();
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  child.stdout.setEncoding('utf8');
  const gone = once(child, 'exit').then(() => Promise.reject(new Error('the service ended before it was ready')));
  for (let output = ''; !output.includes('"msg":"ready"'); ) {
    output += String(await Promise.race([once(child.stdout, 'data'), gone]));
  }
  const seconds = (performance.now() - before) / 1000;
  gone.catch(() => {});
  child.stdout.resume();
  const own = child.pid as number;
  const pid = below.length === 0 ? own : Number(readFileSync(`/proc/${own}/task/${own}/children`, 'utf8'));
  return { child, pid, seconds };
}

async function end({ child, pid }: Started, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  const ended = once(child, 'exit');
  process.kill(pid, signal);
  await ended;
}

/** Virtual machines often have no counter for instructions. */
const countsInstructions = () =>
  /^\d/.test(spawnSync('perf', ['stat', '-x,', '-e', 'instructions:u', 'true'], { encoding: 'utf8' }).stderr ?? '');

/** Millions of instructions of a start; the service is killed as soon as it is ready. */
async function instructions(env: Record<string, string>): Promise<number> {
  const file = join(work, 'perf.txt');
  await end(await start(env, ['perf', 'stat', '-x,', '-e', 'instructions:u', '-o', file, '--']), 'SIGKILL');
  return Number(/^(\d+),/m.exec(readFileSync(file, 'utf8'))?.[1]) / 1e6;
}

/** Minimum, median and maximum. */
function spread(numbers: readonly number[], digits: number): string {
  const sorted = numbers.toSorted((a, b) => a - b);
  return [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)].map((n) => n?.toFixed(digits)).join(' / ');
}

async function measureStarts(): Promise<void> {
  const withInstructions = countsInstructions();
  console.log('\n| Start | s to ready | CPU s | million instructions | MiB when ready |\n|---|---:|---:|---:|---:|');
  for (const [name, cache] of [
    ['compiled by an earlier start', {}],
    ['nothing compiled', { NODE_DISABLE_COMPILE_CACHE: '1' }],
  ] as const) {
    const env = { ...settings('starts.db'), ...cache };
    // The first start creates the database, and leaves what it compiled.
    await end(await start(env));
    const seconds: number[] = [];
    const cpu: number[] = [];
    const counted: number[] = [];
    const ready: number[] = [];
    for (let n = 0; n < Number(options.starts); n++) {
      const started = await start(env);
      cpu.push(cpuSeconds(started.pid));
      ready.push(memory(started.pid).now);
      seconds.push(started.seconds);
      await end(started);
      if (withInstructions) counted.push(await instructions(env));
    }
    console.log(
      `| ${name} | ${spread(seconds, 2)} | ${spread(cpu, 2)} | ${withInstructions ? spread(counted, 0) : ''} | ${spread(ready, 0)} |`,
    );
  }
}

const HEAP_METRICS = ['nodejs_heap_size_used_bytes', 'nodejs_heap_size_total_bytes', 'nodejs_external_memory_bytes'];

/** A metric in bytes, in MiB. */
const mebibytes = (metrics: string, name: string): string =>
  (Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]) / 2 ** 20).toFixed(0);

async function measureLoad(operation: string, calls: number, transports: readonly BenchTransport[]): Promise<void> {
  const called = contract.operations.find(({ name }) => name === operation);
  if (called === undefined) throw new Error(`no operation ${operation}`);
  const files = transports.map((transport, index) => {
    const file = join(work, `${operation}-${index}.txt`);
    writeFileSync(file, benchRequest(contract, called, transport));
    return file;
  });
  // An empty folder, as after an update.
  const cache: Record<string, string> = options.cold ? { NODE_COMPILE_CACHE: join(work, `${operation}-compiled`) } : {};
  const started = await start({ ...settings(`${operation}.db`), ...cache });
  const { pid } = started;
  const deadline = performance.now() + Number(options.minutes) * 60_000;
  let answers = 0;
  let sent = 0;
  let failed = 0;
  let late = 0;
  console.log(
    `\n| ${operation} over ${transports.join(' and ')}, calls | MiB | peak MiB | heap used | heap | external | µs of CPU per call |`,
  );
  console.log('|---:|---:|---:|---:|---:|---:|---:|');
  let cost = '';
  try {
    for (let slice = 0; ; slice++) {
      const { now, peak } = memory(pid);
      const metrics = await (await fetch(`http://127.0.0.1:${PORT}/metrics`)).text();
      const [used, heap, external] = HEAP_METRICS.map((name) => mebibytes(metrics, name));
      console.log(
        `| ${answers} | ${now.toFixed(0)} | ${peak.toFixed(0)} | ${used} | ${heap} | ${external} | ${cost} |`,
      );
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
    await end(started);
  }
  console.log(`\n${failed} calls failed, ${late} took more than 2 s`);
  if (failed > 0) process.exitCode = 1;
}

installWrk();
console.log(
  `${new Date().toISOString()}, ${cpus()[0]?.model} x ${availableParallelism()}, Node ${process.version} ${options['node-option'].join(' ')}`,
);
try {
  if (Number(options.starts) > 0) await measureStarts();
  if (Number(options.reads) > 0) await measureLoad('GetDoctor', Number(options.reads), ['SOAP 1.1', 'GET']);
  if (Number(options.bookings) > 0) await measureLoad('Fetch_Details', Number(options.bookings), ['SOAP 1.1', 'POST']);
} finally {
  rmSync(work, { recursive: true });
}
