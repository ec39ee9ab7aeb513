// npm run bench -- [compare] [--rounds 3] [--seconds 5] [--warm 8] [--operations GetDoctor,…] [--transports 'SOAP 1.1',…] [--peers gsoap,…]
// Compares the service with bare node:http that answers the same bytes, the stock `soap` library on Express, its listener alone and, on
// request, peers: `gsoap` in C++, `soap-core` on .NET 10, and commits of this repository; all in one interleaved run, each server on CPU 0 and
// wrk on CPU 1. Only the ratios within one run are meaningful, and on a machine with other load only those of CPU time. Answers are checked
// before anything is timed.
import { rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { readContract } from '../../src/contract/read-contract.ts';
import { ownWsdl } from '../../src/contract/wsdl-document.ts';
import { installPackages } from '../../test/clients/interop/install-packages.ts';
import { readArguments } from '../ci/read-arguments.ts';
import { BENCH_TRANSPORTS, type BenchTransport, benchRequest, requestFile } from './bench-requests.ts';
import { type BenchFigures, comparedTransport, LIMIT, OWN_SERVER, writeBenchTable } from './bench-table.ts';
import { buildGsoap, buildSoapCore, installCommit } from './build-peers.ts';
import { compareWithFloors } from './floors.ts';
import { cpuSeconds, memory } from './process-usage.ts';
import { firstDay, runWrk } from './run-wrk.ts';
import { benchFolder, SERVICE, type ServerProcess, serviceSettings, startServer } from './server-process.ts';

const { values: options } = readArguments('npm run bench --', {
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    warm: { type: 'string', default: '8' },
    operations: { type: 'string', default: 'GetDoctor,Appointment_Status,Fetch_Details' },
    transports: { type: 'string', default: BENCH_TRANSPORTS.join(',') },
    peers: { type: 'string' },
  },
});

const CONNECTIONS = 32;
const BASE_PORT = 18600;
const here = import.meta.dirname;
const folder = benchFolder();
const contract = readContract(ownWsdl());
/** The bodies that servers without a database answer with, by operation. */
const RESULTS = join(folder, 'results.json');

interface Target {
  readonly name: string;
  readonly port: number;
  /** `answer`: the file with the service's answer to what is measured next. */
  readonly command: (answer: string) => readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly measures: (operation: string, transport: BenchTransport) => boolean;
  /** Whether it is this service, with a database of its own. */
  readonly isService?: true;
}

const TIMED: readonly string[] = String(options.operations).split(',');
const TRANSPORTS = BENCH_TRANSPORTS.filter((transport) => String(options.transports).split(',').includes(transport));
const isCall = (operation: string) => operation === 'GetDoctor';

const peer = (file: string, port: number, data: string) => [process.execPath, join(here, file), String(port), data];

const version = (name: string, port: number, command: readonly string[]): Target => ({
  name,
  port,
  command: () => command,
  environment: serviceSettings(port, join(folder, `data/${port}.db`)),
  measures: () => true,
  isService: true,
});

const service = version(OWN_SERVER, BASE_PORT, SERVICE.toSpliced(1, 0, '--trace-gc'));

const peers: Target[] = [
  {
    name: LIMIT,
    port: BASE_PORT + 1,
    command: (answer) => peer('bare-http.ts', BASE_PORT + 1, answer),
    measures: (_operation, transport) => transport === comparedTransport(transport),
  },
  {
    name: 'soap on Express, no reader or writer',
    port: BASE_PORT + 4,
    command: (answer) => [...peer('soap-library.ts', BASE_PORT + 4, answer), 'limit'],
    measures: (operation, transport) => isCall(operation) && transport === 'SOAP 1.1',
  },
  {
    name: 'soap on Express, stock',
    port: BASE_PORT + 2,
    command: () => peer('soap-library.ts', BASE_PORT + 2, RESULTS),
    measures: (operation, transport) => isCall(operation) && transport === 'SOAP 1.1',
  },
];

for (const [index, name] of (options.peers?.split(',') ?? []).entries()) {
  const port = BASE_PORT + 5 + index;
  const measures: Target['measures'] = (operation, transport) => isCall(operation) && transport === 'SOAP 1.1';
  if (name === 'gsoap') {
    const program = await buildGsoap(join(folder, name));
    peers.push({ name: 'gSOAP, C++', port, command: (answer) => [program, String(port), answer], measures });
  } else if (name === 'soap-core') {
    const program = ['dotnet', buildSoapCore(join(folder, name)), String(port), RESULTS];
    peers.push({ name: 'SoapCore, .NET 10', port, command: () => program, measures });
  } else {
    peers.push(version(name, port, SERVICE.with(-1, installCommit(name, join(folder, name)))));
  }
}

/** Each server has CPU 0 to itself, if there is another one for wrk. */
const start = ({ command, environment }: Target, answer: string): Promise<ServerProcess> =>
  startServer([...(availableParallelism() > 1 ? ['taskset', '-c', '0'] : []), ...command(answer)], environment);

/** Bookings so far, by port. */
const bookings = new Map<number, number>();

/** Books appointment 1, which is what Appointment_Status asks for. */
async function bookFirst(port: number): Promise<void> {
  bookings.set(port, 0);
  const booking = contract.operations.find(({ name }) => name === 'Fetch_Details');
  if (booking !== undefined) await send(port, filled(benchRequest(contract, booking, 'POST'), 8));
}

/** Checks that every operation and transport answers with ResultCode 0 before any is timed; keeps the bodies that the peers answer with. */
async function checkAnswers(): Promise<void> {
  const { port } = service;
  await bookFirst(port);
  const results: Record<string, unknown> = {};
  for (const operation of contract.operations.filter(({ name }) => TIMED.includes(name) || isCall(name))) {
    for (const [index, transport] of BENCH_TRANSPORTS.entries()) {
      const text = filled(benchRequest(contract, operation, transport), index);
      const { status, body } = await send(port, text);
      if (status !== 200 || !body.includes('<ResultCode>0</ResultCode>')) {
        throw new Error(`${operation.name} over ${transport} answered ${status}: ${body.slice(0, 500)}`);
      }
      writeFileSync(join(folder, answerOf(operation.name, transport)), body);
    }
    const json = await send(port, filled(benchRequest(contract, operation, 'GET'), 9), 'application/json');
    results[operation.name] = JSON.parse(json.body);
  }
  writeFileSync(RESULTS, JSON.stringify(results));
}

const answerOf = (operation: string, transport: BenchTransport) => `answer-${operation}-${transport}.xml`;

/** For the check: a booking of doctor 110 on the last days, which the load reaches last. */
const filled = (text: string, index: number) =>
  text
    .replaceAll('@doctor@', '110')
    .replaceAll('@center@', '1')
    .replaceAll('@reg@', `CHECK-${index}`)
    .replaceAll('@phone@', `987654321${index}`)
    .replaceAll('@date@', new Date(firstDay() * 1000 + 361 * 86_400_000).toISOString().slice(0, 10))
    .replaceAll('@time@', `0${index}:00:00`);

async function send(port: number, text: string, accept = 'text/xml'): Promise<{ status: number; body: string }> {
  const cut = text.indexOf('\n\n');
  const [line = '', ...headers] = text.slice(0, cut).split('\n');
  const [method = '', path = ''] = line.split(' ');
  const body = text.slice(cut + 2);
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: Object.fromEntries(
      [...headers, `Accept: ${accept}`].map((header) => header.split(/: (.*)/s) as [string, string]),
    ),
    ...(body === '' ? {} : { body }),
  });
  return { status: response.status, body: await response.text() };
}

async function load(
  { name, port, isService }: Target,
  { pid, collected }: ServerProcess,
  { operation, transport }: Work,
  seconds: string,
) {
  const before = cpuSeconds(pid);
  const { allocated, full } = collected;
  const { requests, ...wrk } = await runWrk({
    port,
    connections: CONNECTIONS,
    seconds: Number(seconds),
    file: requestFile(folder, operation, transport),
    bookings: bookings.get(port) ?? 0,
    ...(availableParallelism() > 1 ? { cpu: 1 } : {}),
  });
  const cpu = cpuSeconds(pid) - before;
  // What was in flight at the end may have been booked without being counted.
  if (isService && operation === 'Fetch_Details') {
    bookings.set(port, (bookings.get(port) ?? 0) + requests + CONNECTIONS * 2);
  }
  return {
    server: name,
    operation,
    transport,
    requestsPerSecond: Math.round(requests / wrk.seconds),
    requestsPerCpuSecond: Math.round(requests / cpu),
    p50: wrk.p50,
    p99: wrk.p99,
    longest: wrk.longest,
    kilobytes: ((collected.allocated - allocated) * 1000) / requests,
    full: collected.full - full,
    errors: wrk.errors,
  };
}

interface Work {
  readonly operation: string;
  readonly transport: BenchTransport;
}

async function measure(target: Target, server: ServerProcess, work: Work, round: number): Promise<void> {
  await load(target, server, work, options.warm);
  const result = { round, ...(await load(target, server, work, options.seconds)) };
  figures.push(result);
  console.log(
    `round ${round}: ${target.name}, ${work.operation} by ${work.transport}: ${result.requestsPerCpuSecond} per CPU-s, ${result.errors} failed`,
  );
}

/** A peer is measured immediately after the service, because the machine's speed changes within a minute. */
async function measureRound(server: ServerProcess, round: number): Promise<void> {
  for (const operation of TIMED) {
    for (const transport of TRANSPORTS) {
      const work = { operation, transport };
      await measure(service, server, work, round);
      for (const target of peers.filter(({ measures }) => measures(operation, transport))) {
        const peer = await start(target, join(folder, answerOf(operation, transport)));
        if (target.isService && !bookings.has(target.port)) await bookFirst(target.port);
        await measure(target, peer, work, round).finally(() => peer.stop());
      }
    }
  }
}

await installPackages(['wrk']);
const figures: BenchFigures[] = [];
for (let round = 1; round <= Number(options.rounds); round++) {
  // A new database per round, because bookings use up its free slots.
  rmSync(join(folder, 'data'), { recursive: true, force: true });
  bookings.clear();
  const server = await start(service, '');
  try {
    await checkAnswers();
    await measureRound(server, round);
    console.log(`round ${round}: ${service.name}, peak memory ${Math.round(memory(server.pid).peak)} MiB`);
  } finally {
    await server.stop();
  }
}
const machine = `${cpus()[0]?.model}, ${availableParallelism()} CPUs, Node ${process.version.slice(1)}`;
console.log(
  `\n${new Date().toISOString().slice(0, 10)} (${machine}), ${options.rounds} rounds of ${options.seconds} s.`,
);
console.log('Cells with three numbers give the quartiles of the rounds; the others give medians.');
console.log(`\n${writeBenchTable(figures)}`);
const floors = compareWithFloors(figures);
console.log(`\n${floors.map(({ text }) => text).join('\n')}`);
if (floors.some(({ holds }) => !holds)) process.exitCode = 1;
const failed = figures.reduce((sum, { errors }) => sum + errors, 0);
if (failed > 0) {
  console.error(`${failed} requests failed.`);
  process.exitCode = 1;
}
