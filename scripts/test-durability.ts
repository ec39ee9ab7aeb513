/**
 * Kills, stops and outages under load, and what is there afterwards:
 * `npm run test:durability -- [--database sqlite|postgres] [--workers N] [--rounds N] [--stops N] [--seed N] [--longest-start MS]`.
 * Prints a line a trial; ends with 1 if one of them failed. Full disk and read-only database take root.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../src/settings/config.ts';
import { plannedBookings } from '../test/durability/booking-plan.ts';
import { type Figure, figureLine } from '../test/durability/figures.ts';
import { killRounds } from '../test/durability/kill-rounds.ts';
import { movingAddress } from '../test/durability/moving-address.ts';
import { outage } from '../test/durability/outages.ts';
import { readOnlyDatabase } from '../test/durability/read-only-database.ts';
import { ServiceUnderTest } from '../test/durability/service-under-test.ts';
import type { Setting } from '../test/durability/setting.ts';
import { mountSmallDisk } from '../test/durability/small-disk.ts';
import { stopRounds } from '../test/durability/stop-rounds.ts';
import { twoServices } from '../test/durability/two-services.ts';
import { silentGateway, worstStop } from '../test/durability/worst-stop.ts';
import { freePort } from '../test/support/process/free-port.ts';
import { temporaryFolder } from '../test/support/process/temporary-folder.ts';
import { Random } from '../test/support/random/random.ts';

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    workers: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '100' },
    stops: { type: 'string', default: '50' },
    // Milliseconds; on a machine that others use too, a start takes what they leave.
    'longest-start': { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const [workers, rounds, stops, seed] = [values.workers, values.rounds, values.stops, values.seed].map(Number);
if (![workers, rounds, stops, seed].every(Number.isSafeInteger) || !/^(sqlite|postgres)$/.test(values.database)) {
  throw new Error('expected --database sqlite|postgres --workers N --rounds N --stops N --seed N');
}

const CLIENTS = 16;

const folder = temporaryFolder();
const figures: Figure[] = [];
const services: ServiceUnderTest[] = [];
const postgres =
  values.database === 'postgres'
    ? await (await import('../test/support/database/private-postgres.ts')).startPrivatePostgres()
    : undefined;

/** A service on an empty database. */
async function settingOn(url: string, count: number, others: Readonly<Record<string, string>> = {}): Promise<Setting> {
  const settings = { DATABASE_URL: url, WORKERS: String(workers), SMS_GATEWAY: 'off', RATE_LIMIT: '0', ...others };
  const random = new Random(Number(seed));
  const service = new ServiceUnderTest(folder.path, await freePort(), settings);
  services.push(service);
  return {
    service,
    database: readConfig({ DATABASE_URL: url }).database,
    postgres,
    bookings: plannedBookings(Date.now()),
    random: () => random.next(),
    rounds: count,
    clients: CLIENTS,
    longestStart: Number(values['longest-start']),
    progress: (text) => console.log(`     ${text}`),
  };
}

let databases = 0;
const newDatabase = async (): Promise<string> => {
  databases++;
  return postgres === undefined
    ? `sqlite:${join(folder.path, `durability-${databases}.db`)}`
    : postgres.createDatabase(`durability_${databases}`);
};

async function trial(run: () => Promise<Figure>): Promise<void> {
  const figure = await run();
  figures.push(figure);
  console.log(figureLine(figure));
}

async function fullDisk(): Promise<void> {
  const disk = mountSmallDisk(join(folder.path, 'disk'), 24);
  if (disk === undefined) {
    console.log('skip full disk and read-only database: a file system cannot be mounted here');
    return;
  }
  try {
    const url = `sqlite:${join(disk.path, 'small.db')}`;
    const setting = await settingOn(url, 1);
    await trial(() => outage(setting, 'disk full under load', disk.fill, disk.empty));
    await trial(() => readOnlyDatabase(setting, disk));
  } finally {
    disk.remove();
  }
}

console.log(
  `${values.database}, ${workers} ${workers === 1 ? 'process' : 'workers'}, ${CLIENTS} clients, seed ${seed}`,
);
try {
  const kills = await settingOn(await newDatabase(), Number(rounds));
  await trial(() => killRounds(kills));
  const ends = await settingOn(await newDatabase(), Number(stops));
  await trial(() => stopRounds(ends));
  const gateway = await silentGateway();
  try {
    const account = { SMS_GATEWAY: 'http:kannel', SMS_URL: gateway.url, SMS_USERNAME: 'u', SMS_PASSWORD: 'p' };
    const worst = await settingOn(await newDatabase(), 1, account);
    await trial(() => worstStop(worst, gateway));
  } finally {
    gateway.close();
  }
  const two = await newDatabase();
  await trial(async () => twoServices(await settingOn(two, 1), await settingOn(two, 1)));
  if (postgres === undefined) await fullDisk();
  else {
    const database = await newDatabase();
    const address = await movingAddress(postgres);
    try {
      const moving = await settingOn(address.urlOf(database), 1);
      const what = 'the address leads to a standby, and back';
      await trial(() => outage(moving, what, address.toStandby, address.toServer));
    } finally {
      await address.dispose();
    }
    const setting = await settingOn(await newDatabase(), 1);
    await trial(() => outage(setting, 'PostgreSQL stopped and started under load', postgres.stop, postgres.start));
    await trial(() => outage(setting, 'PostgreSQL restarted under load', postgres.restart, async () => {}, false));
    await trial(() =>
      outage(setting, 'connections to PostgreSQL cut under load', postgres.cutConnections, async () => {}, false),
    );
  }
} finally {
  // After a trial that broke off.
  for (const service of services) await service.kill();
  await postgres?.dispose();
  folder.remove();
}
const failed = figures.filter(({ ok }) => !ok).length;
console.log(`${figures.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
