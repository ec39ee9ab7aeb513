/**
 * Races for one slot, over four transports, between real service processes on one database:
 * `npm run ci -- one-slot -- [--rounds N] [--clients N] [--processes N] [--database URL]`. A database that is given must be empty.
 */

import { readArguments, refuseArguments } from '../../../scripts/ci/read-arguments.ts';
import { readConfig } from '../../../src/settings/config.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { oneBooking, oneDestination, oneSlot, type RushPlace, swap } from '../../databases/faults/one-slot.ts';
import { type ReadyService, startReady } from '../../support/process/service-process.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

const COMMAND = 'npm run ci -- one-slot --';
const { values } = readArguments(COMMAND, {
  options: {
    rounds: { type: 'string', default: '50' },
    clients: { type: 'string', default: '200' },
    processes: { type: 'string', default: '4' },
    database: { type: 'string' },
  },
});
const [rounds = 0, clients = 0, processes = 0] = [values.rounds, values.clients, values.processes].map(Number);
if (rounds === 0 || clients === 0 || processes === 0) {
  refuseArguments(COMMAND, "Options '--rounds', '--clients' and '--processes' must be at least 1");
}

/** Doctors without opening hours in the demo data: they accept any time. */
const PLACE = { centerId: 1, doctorId: 102, threeAtOnceId: 990 };
const DAY = 86_400_000;
/** Days between rounds: the appointments that are moved are on the days in between. */
const DAYS_A_ROUND = 5;

/** Bookings are within a year. */
const placeOf = (round: number): RushPlace => ({
  ...PLACE,
  day: new Date(Date.now() + (2 + ((round * DAYS_A_ROUND) % 350)) * DAY).toISOString().slice(0, 10),
});

const folder = temporaryFolder();
const services: ReadyService[] = [];
const began = performance.now();
try {
  const DATABASE_URL = values.database ?? `sqlite:${folder.path}/hospital.db`;
  const settings = { DATABASE_URL, LOG_LEVEL: 'warn', RATE_LIMIT: '0' };
  // All at once, on a database without any tables.
  services.push(
    ...(await Promise.all(
      Array.from({ length: processes }, () => startReady(folder.path, { ...settings, LOG_LEVEL: 'info' })),
    )),
  );
  const store = await openStore(readConfig(settings).database, { mustExist: true });
  try {
    const unknown = { department: null, specialization: null, qualification: null };
    const ofThree = { name: 'Dr. Three At Once', slotMinutes: 15, capacity: 3, active: 1, ...unknown };
    const doctor = { ...ofThree, centerId: PLACE.centerId, id: PLACE.threeAtOnceId };
    await store.write(({ referenceTables }) => referenceTables.put('doctor', doctor));
    const hospital = { endpoints: services.map(({ endpoint }) => endpoint), store };
    for (let round = 0; round < rounds; round++) {
      const place = placeOf(round);
      await oneSlot(hospital, place, { clients, capacity: 1 });
      await oneSlot(hospital, place, { clients, capacity: 3 });
      await oneBooking(hospital, place, 50);
      await oneDestination(hospital, place, 100);
      await swap(hospital, place);
    }
    console.log(
      `${store.description}, ${processes} ${processes === 1 ? 'process' : 'processes'}: ${rounds} rounds of ${clients} clients for one slot, and for three seats; one booking 50 times; 100 reschedules into one slot; a swap: each as it should be, ${((performance.now() - began) / 1000).toFixed(1)} s`,
    );
  } finally {
    await store.close();
  }
  for (const service of services) {
    const wrong = service
      .logLines()
      .filter(({ level }) => /warn|error|fatal/.test(String(level)) || Number(level) >= 40)
      // Most calls are refused here, and on a slow machine the rounds take longer than a minute, after which further refusals are counted.
      .filter(({ msg }) => msg !== 'refusals not recorded individually');
    if (wrong.length > 0) throw new Error(`A service logged:\n${wrong.map((line) => JSON.stringify(line)).join('\n')}`);
  }
} finally {
  await Promise.all(services.map((service) => service.stop()));
  folder.remove();
}
