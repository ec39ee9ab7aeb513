// npm run bench:workers -- [--workers 1,2] [--rounds 3] [--seconds 5] [--main FILE]
// Measures the service with several worker processes, on one SQLite file, or on the database of DATABASE_URL. wrk runs on the same
// cores, so the measure is requests per second of the workers' processor time: the same as with one process if more of them add no cost.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { readContract } from '../src/contract/read-contract.ts';
import { type BenchTransport, benchRequest } from './bench/bench-requests.ts';
import { cpuSeconds } from './bench/process-usage.ts';
import { runWrk, type WrkFigures } from './bench/run-wrk.ts';
import { readArguments } from './read-arguments.ts';

const here = import.meta.dirname;
const { values: options } = readArguments('npm run bench:workers --', {
  options: {
    workers: { type: 'string', default: '1,2' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    main: { type: 'string', default: join(here, '../src/main.ts') },
  },
});

/** What is requested at the same time: requests of one kind, and how many connections each has. */
const LOADS: Readonly<
  Record<string, readonly (readonly [operation: string, transport: BenchTransport, connections: number])[]>
> = {
  reads: [['GetDoctor', 'SOAP 1.1', 32]],
  bookings: [['Fetch_Details', 'SOAP 1.1', 32]],
  mix: [
    ['Appointment_Status', 'GET', 24],
    ['Fetch_Details', 'SOAP 1.1', 32],
  ],
};

const PORT = 18650;
const contract = readContract(readFileSync(join(here, '../wsdl/TPWebServices.wsdl'), 'utf8'));
const work = mkdtempSync(join(tmpdir(), 'tpwebservices-bench-'));
let bookings = 0;

async function start(workers: string): Promise<ChildProcess> {
  rmSync(join(work, 'data'), { recursive: true, force: true });
  const { DATABASE_URL = `sqlite:${join(work, 'data/bench.db')}` } = process.env;
  const env = {
    ...process.env,
    DATABASE_URL,
    DEMO_DATA: 'true',
    PORT: String(PORT),
    WORKERS: workers,
    SMS_GATEWAY: 'off',
  };
  const child = spawn(process.execPath, [options.main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the service did not start:\n${output}`)));
    child.stdout?.on('data', (chunk: Buffer) => {
      output = (output + chunk).slice(-10_000);
      if (output.includes('"msg":"ready"')) resolve();
    });
  });
  return child;
}

async function ask(
  operation: string,
  transport: BenchTransport,
  connections: number,
  seconds: string,
): Promise<WrkFigures> {
  const found = contract.operations.find(({ name }) => name === operation);
  if (found === undefined) throw new Error(`no operation ${operation}`);
  const file = join(work, `${operation}.txt`);
  writeFileSync(file, benchRequest(contract, found, transport));
  const figures = await runWrk({ port: PORT, connections, seconds: Number(seconds), file, bookings });
  // What was in flight at the end may have been booked without being counted.
  if (operation === 'Fetch_Details') bookings += figures.requests + connections * 2;
  return figures;
}

const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

const rows = new Map<
  string,
  { readonly perSecond: number; readonly perCpu: number; readonly p99: string; readonly errors: number }[]
>();
try {
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const workers of String(options.workers).split(',')) {
      bookings = 0;
      const child = await start(workers);
      try {
        for (const [load, parts] of Object.entries(LOADS)) {
          const all = (seconds: string) => Promise.all(parts.map((part) => ask(...part, seconds)));
          await all('2');
          const before = cpuSeconds(child.pid as number);
          const figures = await all(String(options.seconds));
          const cpu = cpuSeconds(child.pid as number) - before;
          const requests = figures.reduce((sum, f) => sum + f.requests, 0);
          const row = {
            perSecond: Math.round(requests / (figures[0]?.seconds ?? 1)),
            perCpu: Math.round(requests / cpu),
            p99: figures.map((f) => f.p99.toFixed(1)).join(' and '),
            errors: figures.reduce((sum, f) => sum + f.errors, 0),
          };
          const key = `| ${load} | ${workers}`;
          rows.set(key, [...(rows.get(key) ?? []), row]);
          console.log(
            `round ${round + 1}: ${load}, ${workers} workers: ${JSON.stringify(row)}, CPU ${cpu.toFixed(1)} s, ${figures.map((f) => f.requests).join(' and ')}`,
          );
        }
      } finally {
        const ended = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGTERM');
        await ended;
      }
    }
  }
} finally {
  rmSync(work, { recursive: true });
}
console.log(
  `\n${cpus()[0]?.model} x ${availableParallelism()}, Node ${process.version}, medians of ${options.rounds} rounds of ${options.seconds} s\n`,
);
console.log('| Load | Workers | req/s | req per CPU-s | p99 ms | errors |\n|---|---:|---:|---:|---:|---:|');
for (const [key, figures] of rows) {
  const p99 = figures.map((f) => f.p99).join(', ');
  const errors = figures.reduce((sum, f) => sum + f.errors, 0);
  console.log(
    `${key} | ${median(figures.map((f) => f.perSecond))} | ${median(figures.map((f) => f.perCpu))} | ${p99} | ${errors} |`,
  );
}
