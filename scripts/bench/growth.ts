// npm run bench -- growth [--rows 10000000] [--few 10000] [--calls 2000] [--database postgres://…/few,postgres://…/many]
// How much slower calls become as the database grows: two services, one with few appointments and one with many, called alternately by one
// client. Only the ratios within one run are meaningful. Uses SQLite in a temporary folder unless two empty databases are named.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../src/settings/config.ts';
import { openStore } from '../../src/store/open-store.ts';
import { BOOKING_PARAMETERS } from '../../test/support/http/booking-parameters.ts';
import { Random } from '../../test/support/random/random.ts';
import { readArguments } from '../read-arguments.ts';
import { median } from './bench-table.ts';
import { doctorOf, type FilledDatabase, fillDatabase, SLOTS_A_DAY } from './fill-database.ts';
import { memory } from './process-usage.ts';
import { benchFolder, SERVICE, type ServerProcess, serviceSettings, startServer } from './server-process.ts';

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
const folder = benchFolder();
const random = new Random(1);

interface Target {
  readonly filled: FilledDatabase;
  readonly server: ServerProcess;
  readonly port: number;
  booked: number;
}

async function open(url: string, rows: number, port: number): Promise<Target> {
  const location = readConfig({ DATABASE_URL: url }).database;
  await (await openStore(location)).close();
  const began = performance.now();
  const filled = await fillDatabase(location, rows, today);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const size = location.kind === 'sqlite' ? `, ${(statSync(location.path).size / 2 ** 20).toFixed(0)} MiB` : '';
  console.log(`${rows.toLocaleString('en')} appointments of ${filled.doctors} doctors in ${seconds} s${size}`);
  const settings = { ...serviceSettings(port, ''), DATABASE_URL: url, DEMO_DATA: 'false' };
  return { filled, server: await startServer(SERVICE, settings), port, booked: 0 };
}

/** Milliseconds until the whole answer is there. */
async function call({ port }: Target, operation: string, parameters: Record<string, string | number>): Promise<number> {
  const query = new URLSearchParams(Object.entries(parameters).map(([k, v]): [string, string] => [k, String(v)]));
  const began = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}/TPWebServices.asmx/${operation}?${query}`);
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${operation}: ${answer.status} ${text}`);
  return performance.now() - began;
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
    const patient = { RegistrationNumber: `N-${n}`, Name: `Patient ${n}`, Sex: 'F', Age: '34' };
    const slotOf = { DoctorID: doctorId, app_date: day, app_time: time, centerid: centerId };
    return call(target, 'Fetch_Details', { ...BOOKING_PARAMETERS, ...patient, ...slotOf });
  },
};

const mean = (list: readonly number[]) => list.reduce((sum, t) => sum + t, 0) / list.length;

const [fewUrl = `sqlite:${join(folder, 'few.db')}`, manyUrl = `sqlite:${join(folder, 'many.db')}`] =
  options.database?.split(',') ?? [];
const targets: Target[] = [];
try {
  targets.push(await open(fewUrl, Number(options.few), BASE_PORT));
  targets.push(await open(manyUrl, Number(options.rows), BASE_PORT + 1));
  console.log('| Operation | few p50 ms | many p50 ms | ratio p50 | few mean ms | many mean ms | ratio mean |');
  console.log('|---|---:|---:|---:|---:|---:|---:|');
  for (const [name, run] of Object.entries(OPERATIONS)) {
    const times = targets.map((): number[] => []);
    // Alternating, so that the machine's other load affects both alike. The first tenth is warm-up.
    for (let n = 0; n < Number(options.calls) * 1.1; n++) {
      for (const [index, target] of targets.entries()) {
        const took = await run(target);
        if (n > Number(options.calls) * 0.1) times[index]?.push(took);
      }
    }
    const cells = [median, mean].flatMap((of) => {
      const [few = 0, many = 0] = times.map(of);
      return [few, many, many / few];
    });
    console.log(`| ${name} | ${cells.map((cell) => cell.toFixed(2)).join(' | ')} |`);
  }
  for (const { filled, server } of targets) {
    const [start, peak] = [server.seconds * 1000, memory(server.pid).peak].map((value) => value.toFixed(0));
    console.log(`${filled.rows.toLocaleString('en')} rows: start to ready ${start} ms, peak memory ${peak} MiB`);
  }
} finally {
  for (const { server } of targets) await server.stop();
}
