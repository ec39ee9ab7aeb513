// npm run bench -- [--rounds 3] [--seconds 5] [--warm 3] [--operations GetDoctor,…] [--out FILE.json] [--profile FOLDER] [--soap-core]
// [--write]
// Compares the service with bare node:http that answers the same bytes, the stock `soap` library on Express and, on request, SoapCore on
// .NET 10, all in one interleaved run, each server on CPU 0 and wrk on CPU 1. Only the ratios within one run are meaningful, and on a machine
// with other load only those of CPU time. Answers are checked before anything is timed. --write puts the table into docs/performance.md
// and draws docs/images/speed.svg from it.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Contract } from '../../src/contract/contract.ts';
import { readContract } from '../../src/contract/read-contract.ts';
import { DEPLOYED_NODE_OPTIONS } from '../../test/support/process/deployed-node-options.ts';
import { readArguments } from '../read-arguments.ts';
import { BENCH_TRANSPORTS, type BenchTransport, benchRequest } from './bench-requests.ts';
import { type BenchFigures, comparedTransport, LIMIT, OWN_SERVER, writeBenchTable } from './bench-table.ts';
import { buildSoapCore } from './build-soap-core.ts';
import { installWrk } from './install-wrk.ts';
import { cpuSeconds, memory } from './process-usage.ts';
import { firstDay, runWrk } from './run-wrk.ts';
import { writeFigures } from './write-figures.ts';

const { values: options } = readArguments('npm run bench --', {
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    warm: { type: 'string', default: '3' },
    operations: { type: 'string', default: 'GetDoctor,Appointment_Status,Fetch_Details' },
    out: { type: 'string' },
    profile: { type: 'string' },
    'soap-core': { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});

const CONNECTIONS = 32;
const BASE_PORT = 18600;
const here = import.meta.dirname;
const work = mkdtempSync(join(tmpdir(), 'tpwebservices-bench-'));
const contract: Contract = readContract(readFileSync(join(here, '../../wsdl/TPWebServices.wsdl'), 'utf8'));

interface Target {
  readonly name: string;
  readonly port: number;
  /** `answer`: the file with the service's answer to what is measured next. */
  readonly start: (answer: string) => ChildProcess;
  /** Whether it must be restarted for each answer. */
  readonly isConstant?: boolean;
  readonly measures: (operation: string, transport: BenchTransport) => boolean;
}

const pinned = (cpu: number, command: readonly string[]): [string, string[]] =>
  availableParallelism() > 1 ? ['taskset', ['-c', String(cpu), ...command]] : [command[0] as string, command.slice(1)];

const node = (args: readonly string[], env: Record<string, string> = {}) => server([process.execPath, ...args], env);

function server(line: readonly string[], env: Record<string, string> = {}): ChildProcess {
  const [command, rest] = pinned(0, line);
  return spawn(command, rest, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
}

const TIMED: readonly string[] = String(options.operations).split(',');
const isCall = (operation: string) => operation === 'GetDoctor';

const service: Target = {
  name: OWN_SERVER,
  port: BASE_PORT,
  start: () => {
    const profile = options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profile}`];
    const env = {
      PORT: String(BASE_PORT),
      DATABASE_URL: `sqlite:${join(work, 'data/bench.db')}`,
      DEMO_DATA: 'true',
      // The limit is counted, and never reached.
      RATE_LIMIT: String(10 ** 8),
    };
    return node([...profile, ...DEPLOYED_NODE_OPTIONS, join(here, '../../src/start.js')], env);
  },
  measures: () => true,
};

const peers: readonly Target[] = [
  {
    name: LIMIT,
    port: BASE_PORT + 1,
    start: (answer) => node([join(here, 'bare-http.ts'), String(BASE_PORT + 1), answer]),
    isConstant: true,
    measures: (_operation, transport) => transport === comparedTransport(transport),
  },
  {
    name: 'soap on Express, stock',
    port: BASE_PORT + 2,
    start: () => node([join(here, 'stock-soap.ts'), String(BASE_PORT + 2), join(work, 'results.json')]),
    measures: (operation, transport) => isCall(operation) && transport === 'SOAP 1.1',
  },
  ...(options['soap-core'] ? [soapCore(buildSoapCore(join(work, 'soap-core')))] : []),
];

function soapCore(assembly: string): Target {
  const port = BASE_PORT + 3;
  return {
    name: 'SoapCore, .NET 10',
    port,
    start: () => server(['dotnet', assembly, String(port), join(work, 'results.json')]),
    measures: (operation, transport) => isCall(operation) && transport.startsWith('SOAP'),
  };
}

/** Waits for the line that says that a server is listening. */
function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => /listening|is ready/.test(String(chunk)) && resolve());
    child.once('exit', (code) => reject(new Error(`a server ended with ${code} before it was ready`)));
  });
}

const stop = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });

/** Checks that every operation and transport answers with ResultCode 0 before any is timed; keeps the bodies that the peers answer with. */
async function checkAnswers(): Promise<void> {
  // Read operations need something to read: appointment 1 is what Appointment_Status asks for.
  const booking = contract.operations.find(({ name }) => name === 'Fetch_Details');
  if (booking !== undefined) await send(filled(benchRequest(contract, booking, 'POST'), 8));
  const results: Record<string, unknown> = {};
  for (const operation of contract.operations.filter(({ name }) => TIMED.includes(name) || isCall(name))) {
    for (const [index, transport] of BENCH_TRANSPORTS.entries()) {
      const text = filled(benchRequest(contract, operation, transport), index);
      const { status, body } = await send(text);
      if (status !== 200 || !body.includes('<ResultCode>0</ResultCode>')) {
        throw new Error(`${operation.name} over ${transport} answered ${status}: ${body.slice(0, 500)}`);
      }
      writeFileSync(join(work, answerOf(operation.name, transport)), body);
      writeFileSync(join(work, fileOf(operation.name, transport)), benchRequest(contract, operation, transport));
    }
    const json = await send(filled(benchRequest(contract, operation, 'GET'), 9), 'application/json');
    results[operation.name] = JSON.parse(json.body);
  }
  writeFileSync(join(work, 'results.json'), JSON.stringify(results));
}

const fileOf = (operation: string, transport: BenchTransport) =>
  `${operation}-${transport.replaceAll(/[ .]/g, '')}.txt`;

const answerOf = (operation: string, transport: BenchTransport) => `answer-${fileOf(operation, transport)}`;

/** For the check: a booking of doctor 110 on the last days, which the load reaches last. */
const filled = (text: string, index: number) =>
  text
    .replaceAll('@doctor@', '110')
    .replaceAll('@center@', '1')
    .replaceAll('@reg@', `CHECK-${index}`)
    .replaceAll('@phone@', `987654321${index}`)
    .replaceAll('@date@', new Date(firstDay() * 1000 + 361 * 86_400_000).toISOString().slice(0, 10))
    .replaceAll('@time@', `0${index}:00:00`);

async function send(text: string, accept = 'text/xml'): Promise<{ status: number; body: string }> {
  const cut = text.indexOf('\n\n');
  const [line = '', ...headers] = text.slice(0, cut).split('\n');
  const [method = '', path = ''] = line.split(' ');
  const body = text.slice(cut + 2);
  const response = await fetch(`http://127.0.0.1:${BASE_PORT}${path}`, {
    method,
    headers: Object.fromEntries(
      [...headers, `Accept: ${accept}`].map((header) => header.split(/: (.*)/s) as [string, string]),
    ),
    ...(body === '' ? {} : { body }),
  });
  return { status: response.status, body: await response.text() };
}

let bookings = 0;

async function load(
  target: Target,
  child: ChildProcess,
  operation: string,
  transport: BenchTransport,
  seconds: string,
  round: number,
) {
  const before = cpuSeconds(child.pid as number);
  const { requests, ...wrk } = await runWrk({
    port: target.port,
    connections: CONNECTIONS,
    seconds: Number(seconds),
    file: join(work, fileOf(operation, transport)),
    bookings,
    ...(availableParallelism() > 1 ? { cpu: 1 } : {}),
  });
  const cpu = cpuSeconds(child.pid as number) - before;
  // What was in flight at the end may have been booked without being counted.
  if (operation === 'Fetch_Details') bookings += requests + CONNECTIONS * 2;
  return {
    round,
    server: target.name,
    operation,
    transport,
    requestsPerSecond: Math.round(requests / wrk.seconds),
    requestsPerCpuSecond: Math.round(requests / cpu),
    p50: wrk.p50,
    p99: wrk.p99,
    errors: wrk.errors,
  } satisfies BenchFigures;
}

installWrk();
const figures: BenchFigures[] = [];
try {
  for (let round = 1; round <= Number(options.rounds); round++) {
    // A new database per round, because bookings use up its free slots.
    rmSync(join(work, 'data'), { recursive: true, force: true });
    bookings = 0;
    for (const target of [service, ...peers]) {
      for (const works of target.isConstant === true ? worksOf(target).map((work) => [work]) : [worksOf(target)]) {
        const [first] = works;
        if (first === undefined) continue;
        const child = target.start(join(work, answerOf(first.operation, first.transport)));
        try {
          await untilReady(child);
          if (target === service) await checkAnswers();
          await measure(target, child, works, round);
        } finally {
          await stop(child);
        }
      }
    }
  }
} finally {
  rmSync(work, { recursive: true });
}
const command = ['npm run bench --', ...process.argv.slice(2).filter((parameter) => parameter !== '--write')].join(' ');
const machine = `${cpus()[0]?.model}, ${availableParallelism()} CPUs, Node ${process.version.slice(1)}`;
const measured = `\`${command}\` on ${new Date().toISOString().slice(0, 10)} (${machine}).
Rounds: ${options.rounds} of ${options.seconds} s. Cells with three numbers give the minimum, median and maximum of the rounds; the others give medians.`;
const table = writeBenchTable(figures);
console.log(`\n${measured}\n\n${table}`);
if (options.out !== undefined) writeFileSync(options.out, `${JSON.stringify(figures, null, 2)}\n`);
const failed = figures.reduce((sum, { errors }) => sum + errors, 0);
if (failed > 0) {
  console.error(`${failed} requests failed${options.write ? ', so nothing was written' : ''}.`);
  process.exitCode = 1;
} else if (options.write) writeFigures(measured, table);

interface Work {
  readonly operation: string;
  readonly transport: BenchTransport;
}

function worksOf(target: Target): Work[] {
  const all = TIMED.flatMap((operation) => BENCH_TRANSPORTS.map((transport) => ({ operation, transport })));
  return all.filter(({ operation, transport }) => target.measures(operation, transport));
}

async function measure(target: Target, child: ChildProcess, works: readonly Work[], round: number): Promise<void> {
  child.stdout?.resume();
  for (const { operation, transport } of works) {
    await load(target, child, operation, transport, String(options.warm), round);
    const result = await load(target, child, operation, transport, String(options.seconds), round);
    figures.push(result);
    console.log(
      `round ${round}: ${target.name}, ${operation} by ${transport}: ${result.requestsPerCpuSecond} per CPU-s`,
    );
  }
  console.log(`round ${round}: ${target.name}, peak memory ${Math.round(memory(child.pid as number).peak)} MiB`);
}
