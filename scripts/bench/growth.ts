// npm run bench -- growth [--rows 10000000] [--few 10000] [--calls 2000] [--database postgres://…/few,postgres://…/many]
// How much slower calls become as the database grows: two services, one with few appointments and one with many, called alternately by one
// client. Only the ratios within one run are meaningful. Uses SQLite in a temporary folder unless two empty databases are named.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/settings/config.ts';
import { openStore } from '../../src/store/open-store.ts';
import { Random } from '../../test/support/random/random.ts';
import { readArguments } from '../read-arguments.ts';
import { doctorOf, type FilledDatabase, fillDatabase, SLOTS_A_DAY } from './fill-database.ts';
import { memory } from './process-usage.ts';

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
const today = Math.floor(Date.now() / DAY);
const folder = mkdtempSync(join(tmpdir(), 'tpwebservices-growth-'));
const random = new Random(1);

interface Target {
  readonly url: string;
  readonly filled: FilledDatabase;
  readonly child: ChildProcess;
  readonly port: number;
  readonly agent: Agent;
  readonly startMilliseconds: number;
  booked: number;
}

async function open(url: string, rows: number, port: number): Promise<Target> {
  const location = readConfig({ DATABASE_URL: url }).database;
  await (await openStore(location)).close();
  const began = performance.now();
  const filled = await fillDatabase(location, rows, today, (done) => {
    if (done % 1_000_000 === 0) console.log(`  ${done.toLocaleString('en')} rows`);
  });
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const size = location.kind === 'sqlite' ? `, ${(statSync(location.path).size / 2 ** 20).toFixed(0)} MiB` : '';
  console.log(`${rows.toLocaleString('en')} appointments of ${filled.doctors} doctors in ${seconds} s${size}`);
  const started = performance.now();
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../src/main.ts')], {
    env: { PATH: process.env.PATH ?? '', PORT: String(port), DATABASE_URL: url, SMS_GATEWAY: 'off', RATE_LIMIT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { stdout } = child;
  if (stdout === null) throw new Error('the service has no output');
  for await (const [text] of streamOf(stdout)) if (text.includes('"msg":"ready"')) break;
  const startMilliseconds = performance.now() - started;
  stdout.resume();
  return {
    url,
    filled,
    child,
    port,
    agent: new Agent({ keepAlive: true, maxSockets: 1 }),
    startMilliseconds,
    booked: 0,
  };
}

async function* streamOf(stream: NodeJS.ReadableStream): AsyncGenerator<[string]> {
  stream.setEncoding('utf8');
  for (;;) yield (await once(stream, 'data')) as [string];
}

function call(
  { port, agent }: Target,
  operation: string,
  parameters: Record<string, string | number>,
): Promise<number> {
  const query = new URLSearchParams(Object.entries(parameters).map(([k, v]): [string, string] => [k, String(v)]));
  const began = performance.now();
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, agent, path: `/TPWebServices.asmx/${operation}?${query}` }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => {
        const took = performance.now() - began;
        if (response.statusCode === 200) resolve(took);
        else reject(new Error(`${operation}: ${response.statusCode} ${text}`));
      });
    })
      .on('error', reject)
      .end();
  });
}

const dayText = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10);

const OPERATIONS: Readonly<Record<string, (target: Target) => Promise<number>>> = {
  Appointment_Status: (target) => {
    const id = random.below(target.filled.rows) + 1;
    const { centerId } = doctorOf((id - 1) % target.filled.doctors);
    return call(target, 'Appointment_Status', { AppointmentID: id, centerid: centerId });
  },
  OPAppointmentdetail: (target) => {
    const { filled } = target;
    const { centerId, doctorId } = doctorOf(random.below(filled.doctors));
    const day = filled.firstDay + random.below(filled.lastDay - filled.firstDay);
    return call(target, 'OPAppointmentdetail', { doctorid: doctorId, appdate: dayText(day), centerid: centerId });
  },
  // A free slot after the last day that is filled, with each doctor in turn.
  Fetch_Details: (target) => {
    const n = target.booked++;
    const { centerId, doctorId } = doctorOf(n % target.filled.doctors);
    const slot = Math.floor(n / target.filled.doctors);
    const day = dayText(target.filled.lastDay + 1 + Math.floor(slot / SLOTS_A_DAY));
    const minutes = 540 + (slot % SLOTS_A_DAY) * 15;
    const time = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
    return call(target, 'Fetch_Details', {
      DoctorID: doctorId,
      RegistrationNumber: `N-${n}`,
      app_date: day,
      app_time: time,
      title: '',
      Name: `Patient ${n}`,
      Sex: 'F',
      Age: '34',
      area: '',
      contactnumber: '9845012345',
      email: '',
      centerid: centerId,
    });
  },
};

const quantile = (sorted: readonly number[], q: number): number => sorted[Math.floor((sorted.length - 1) * q)] ?? 0;

const urls = options.database?.split(',') ?? [`sqlite:${join(folder, 'few.db')}`, `sqlite:${join(folder, 'many.db')}`];
const targets: Target[] = [];
try {
  targets.push(await open(urls[0] ?? '', Number(options.few), BASE_PORT));
  targets.push(await open(urls[1] ?? '', Number(options.rows), BASE_PORT + 1));
  const [few, many] = targets as [Target, Target];
  console.log('| Operation | few p50 ms | many p50 ms | ratio p50 | few mean ms | many mean ms | ratio mean |');
  console.log('|---|---:|---:|---:|---:|---:|---:|');
  for (const [name, run] of Object.entries(OPERATIONS)) {
    const times = new Map<Target, number[]>(targets.map((target) => [target, []]));
    // Alternating, so that the machine's other load affects both alike. The first tenth is warm-up.
    for (let n = 0; n < Number(options.calls) * 1.1; n++) {
      for (const target of targets) {
        const took = await run(target);
        if (n > Number(options.calls) * 0.1) times.get(target)?.push(took);
      }
    }
    const [a, b] = [few, many].map((target) => (times.get(target) ?? []).sort((x, y) => x - y)) as [number[], number[]];
    const mean = (list: readonly number[]) => list.reduce((sum, t) => sum + t, 0) / list.length;
    const cells = [
      quantile(a, 0.5),
      quantile(b, 0.5),
      quantile(b, 0.5) / quantile(a, 0.5),
      mean(a),
      mean(b),
      mean(b) / mean(a),
    ];
    console.log(`| ${name} | ${cells.map((cell) => cell.toFixed(2)).join(' | ')} |`);
  }
  for (const target of targets) {
    const { filled, startMilliseconds } = target;
    console.log(
      `${filled.rows.toLocaleString('en')} rows: start to ready ${startMilliseconds.toFixed(0)} ms, peak memory ${memory(target.child.pid ?? 0).peak.toFixed(0)} MiB`,
    );
  }
} finally {
  for (const { child, agent } of targets) {
    agent.destroy();
    child.kill('SIGTERM');
    await once(child, 'close');
  }
  rmSync(folder, { recursive: true, force: true });
}
