/**
 * Kills, stops and outages under load, and what remains afterwards:
 * `npm run ci -- durability -- [--database sqlite|postgres] [--rounds N] [--stops N] [--faults N] [--seed N] [--longest-start MS]`.
 * Prints one line per trial; exits 1 if one of them failed. `--faults` is how often a database is damaged, lost, slow or fails over: a
 * twentieth of `--rounds` by default. As root it installs what is missing (PostgreSQL, libfaketime), and tries the full disk and the
 * read-only database.
 */
import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments, refuseArguments } from '../../../scripts/ci/read-arguments.ts';
import { readConfig } from '../../../src/settings/config.ts';
import { HAS_NGINX } from '../../clients/packaging/start-nginx.ts';
import { damageTable } from '../../support/database/damage-table.ts';
import { startPrivatePostgres } from '../../support/database/private-postgres.ts';
import { startStandby } from '../../support/database/standby.ts';
import { HAS_HAPROXY, startHaProxy } from '../../support/database/start-haproxy.ts';
import { fakeTimeLibrary } from '../../support/process/fake-time.ts';
import { freePort } from '../../support/process/free-port.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { Random } from '../../support/random/random.ts';
import { gatewayAt } from '../../unit/messages/example-gateways.ts';
import { plannedBookings } from './booking-plan.ts';
import { differingClocks } from './differing-clocks.ts';
import { failedFile } from './failed-file.ts';
import { failover } from './failover.ts';
import { type Figure, figureLine } from './figures.ts';
import { killRounds } from './kill-rounds.ts';
import { lostStandby } from './lost-standby.ts';
import { movingAddress } from './moving-address.ts';
import { outage } from './outages.ts';
import { readOnlyDatabase } from './read-only-database.ts';
import { rollingRestart } from './rolling-restart.ts';
import { ServiceUnderTest } from './service-under-test.ts';
import type { Setting } from './setting.ts';
import { mountSmallDisk } from './small-disk.ts';
import { stopRounds } from './stop-rounds.ts';
import { twoServices } from './two-services.ts';
import { silentGateway, worstStop } from './worst-stop.ts';
import { wrongClock } from './wrong-clock.ts';

const COMMAND = 'npm run ci -- durability --';
const { values } = readArguments(COMMAND, {
  options: {
    database: { type: 'string', default: 'sqlite' },
    rounds: { type: 'string', default: '100' },
    stops: { type: 'string', default: '50' },
    faults: { type: 'string' },
    // Milliseconds; on a shared machine, the time of a start depends on the other load.
    'longest-start': { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const [rounds, stops, seed] = [values.rounds, values.stops, values.seed].map(Number);
const faults = Number(values.faults ?? Math.max(1, Math.round(Number(rounds) / 20)));
if (!Number.isSafeInteger(faults)) {
  refuseArguments(COMMAND, `Option '--faults' is '${values.faults}'; expected a whole number`);
}
if (!/^(sqlite|postgres)$/.test(values.database)) {
  refuseArguments(COMMAND, `Option '--database' is '${values.database}'; expected sqlite or postgres`);
}

const CLIENTS = 16;

const folder = temporaryFolder();
const figures: Figure[] = [];
const services: ServiceUnderTest[] = [];
const postgres = values.database === 'postgres' ? await startPrivatePostgres() : undefined;

/** A service on an empty database. */
async function settingOn(url: string, count: number, others: Readonly<Record<string, string>> = {}): Promise<Setting> {
  const settings = { DATABASE_URL: url, SMS_GATEWAY: 'off', RATE_LIMIT: '0', ...others };
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

/** For SQLite: each on its own file. */
async function failedFiles(): Promise<void> {
  for (let n = 0; n < faults; n++) {
    const own = async (what: string, fail: (file: string) => () => void) => {
      const url = await newDatabase();
      const file = url.replace('sqlite:', '');
      let mend = () => {};
      const setting = await settingOn(url, 1);
      await trial(() =>
        failedFile(
          setting,
          what,
          () => {
            mend = fail(file);
          },
          () => mend(),
        ),
      );
    };
    await own('the database file is damaged under load', (file) => damageTable(file, 'appointment'));
    await own('the database file vanishes under load', (file) => {
      renameSync(file, `${file}.away`);
      return () => renameSync(`${file}.away`, file);
    });
    await own('an older copy takes the place of the database file under load', (file) => {
      renameSync(file, `${file}.away`);
      copyFileSync(`${file}.away`, file);
      return () => renameSync(`${file}.away`, file);
    });
  }
}

/** For PostgreSQL: each on its own server, which is killed. */
async function failovers(): Promise<void> {
  if (!HAS_HAPROXY) {
    console.log('skip failover: HAProxy is not installed (apt-get install haproxy)');
    return;
  }
  for (let n = 0; n < faults; n++) {
    const primary = await startPrivatePostgres();
    const standby = await startStandby(primary, { isSynchronous: true });
    const proxy = await startHaProxy(primary.url, standby.port);
    try {
      const { cutOff, promote } = standby;
      const url = proxy.urlOf(await primary.createDatabase('lost_standby'));
      const pool = { DATABASE_POOL_SIZE: '5' };
      const two = [await settingOn(url, 1, pool), await settingOn(url, 1, pool)];
      const [{ bookings }] = two as [Setting];
      await trial(() =>
        lostStandby(
          two.map((each) => ({ ...each, bookings })),
          { standby, url, poolSize: 5 },
        ),
      );
      const setting = await settingOn(proxy.urlOf(await primary.createDatabase('failover')), 1);
      await trial(() => failover(setting, { cutOff, kill: primary.kill, promote }));
      await setting.service.kill();
    } finally {
      await proxy.stop();
      await standby.dispose();
      await primary.dispose();
    }
  }
}

/** As docs/operators/installing.md says for a shared port. Returns what undoes it; undefined if that is not allowed here. */
function letConnectionsMigrate(): (() => void) | undefined {
  const setting = '/proc/sys/net/ipv4/tcp_migrate_req';
  try {
    const before = readFileSync(setting, 'utf8');
    writeFileSync(setting, '1');
    return () => writeFileSync(setting, before);
  } catch {
    return undefined;
  }
}

/** Two replicas on a shared port, and behind nginx: with SQLite, as systemd runs them without a DATABASE_URL; compose.yaml has PostgreSQL. */
async function rollingRestarts(): Promise<void> {
  const bookings = plannedBookings(Date.now());
  const migrates = letConnectionsMigrate();
  if (migrates === undefined)
    console.log('skip restarts on a shared port: net.ipv4.tcp_migrate_req cannot be set here');
  else {
    const url = await newDatabase();
    const shared = { folder: folder.path, url, deployment: 'shared port', bookings, clients: CLIENTS } as const;
    await trial(() => rollingRestart(shared).finally(migrates));
  }
  if (!HAS_NGINX) {
    console.log('skip restarts behind nginx: it is not installed (apt-get install nginx)');
    return;
  }
  for (const deployment of postgres === undefined ? (['systemd'] as const) : (['systemd', 'compose'] as const)) {
    const url = await newDatabase();
    await trial(() => rollingRestart({ folder: folder.path, url, deployment, bookings, clients: CLIENTS }));
  }
}

/** Messages that are queued while clocks differ, for each of `--faults`. */
const MESSAGES = 60;

/** Days: a clock that was set wrongly, and one without a battery. */
const WRONG_CLOCKS = [100, 15 * 365];

async function clocks(): Promise<void> {
  const library = await fakeTimeLibrary();
  if (library === undefined) {
    console.log('skip wrong and differing clocks: libfaketime cannot be installed here');
    return;
  }
  for (const days of WRONG_CLOCKS) {
    const settings = { DATABASE_URL: await newDatabase() };
    const setting = await settingOn(settings.DATABASE_URL, 1);
    await trial(() => wrongClock(setting, folder.path, settings, library, days));
  }
  if (postgres === undefined) return;
  const url = await postgres.createDatabase('clocks');
  await trial(() => differingClocks(folder.path, url, library, MESSAGES * faults));
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

console.log(`${values.database}, ${CLIENTS} clients, seed ${seed}`);
try {
  const kills = await settingOn(await newDatabase(), Number(rounds));
  await trial(() => killRounds(kills));
  const ends = await settingOn(await newDatabase(), Number(stops));
  await trial(() => stopRounds(ends));
  const gateway = await silentGateway();
  try {
    const account = {
      SMS_GATEWAY: `http:${gatewayAt(folder.path, gateway.url)}`,
      SMS_USERNAME: 'u',
      SMS_PASSWORD: 'p',
    };
    const worst = await settingOn(await newDatabase(), 1, account);
    await trial(() => worstStop(worst, gateway));
  } finally {
    gateway.close();
  }
  const two = await newDatabase();
  await trial(async () => twoServices(await settingOn(two, 1), await settingOn(two, 1)));
  await rollingRestarts();
  await clocks();
  if (postgres === undefined) {
    await fullDisk();
    await failedFiles();
  } else {
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
    await failovers();
  }
} finally {
  // After a trial that was aborted.
  for (const service of services) await service.kill();
  await postgres?.dispose();
  folder.remove();
}
const sum = (name: string) =>
  figures.reduce((total, each) => total + (typeof each.figures[name] === 'number' ? each.figures[name] : 0), 0);
console.log(
  `${sum('acknowledged').toLocaleString('en')} bookings were acknowledged: ${sum('lost')} lost, ${sum('doubled')} doubled.`,
);
if (sum('messages queued') > 0) {
  console.log(
    `${sum('messages queued')} messages were queued while clocks differed: ${sum('messages lost')} lost, ${sum('messages sent twice')} sent twice.`,
  );
}
const failed = figures.filter(({ ok }) => !ok).length;
console.log(`${figures.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
