import { expect } from 'chai';
import { backupCommand } from '../../../src/commands/backup/backup-command.ts';
import { type DoctorHost, doctorCommand } from '../../../src/commands/doctor/doctor-command.ts';
import { readConfig } from '../../../src/settings/config.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { plannedBookings } from '../../durability/booking-plan.ts';
import { failover } from '../../durability/failover.ts';
import { ServiceUnderTest } from '../../durability/service-under-test.ts';
import { runHere } from '../../support/commands/run-here.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../../support/database/private-postgres.ts';
import { type Standby, startStandby, withStandby } from '../../support/database/standby.ts';
import { ON_POSTGRES } from '../../support/database/test-database.ts';
import { freePort } from '../../support/process/free-port.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/process/temporary-folder.ts';

const { PATH } = process.env;
const LIMIT = 90_000;

// One cluster for all of these tests, which run in this order: each begins where the previous one ended.
(ON_POSTGRES ? describe : describe.skip)('A database on a primary and its standby (npm run ci -- postgres)', () => {
  let folder: TemporaryFolder;
  let primary: PrivatePostgres;
  let standby: Standby;
  /** Names the primary first. */
  let url: string;
  /** Names the standby first. */
  let standbyFirst: string;
  before(async function () {
    this.timeout(LIMIT);
    folder = temporaryFolder();
    primary = await startPrivatePostgres({ durable: false });
    const own = await primary.createDatabase('hospital');
    standby = await startStandby(primary, { isSynchronous: true });
    url = withStandby(own, standby);
    standbyFirst = url.replace(/@([^,]+),([^/]+)/, '@$2,$1');
  });
  after(async function () {
    this.timeout(LIMIT);
    await standby?.dispose();
    await primary?.dispose();
    folder.remove();
  });

  const location = () => readConfig({ DATABASE_URL: standbyFirst }).database;
  const primaryPort = () => new URL(primary.url).port;

  it('is used, checked and backed up at the primary, wherever it is listed in DATABASE_URL', async function () {
    this.timeout(LIMIT);
    const store = await openStore(location());
    expect(store.description).to.include(`:${primaryPort()},`);
    await store.close();
    const environment = { DATABASE_URL: standbyFirst, PATH };
    const backup = await runHere(backupCommand, ['copy.dump'], { environment, folder: folder.path });
    expect([backup.code, backup.errors]).to.deep.equal([0, '']);
    const machine = { nodeVersion: 'v26.10.0', timeZoneData: '2026a', cores: 2, platform: 'linux' } as const;
    const { output } = await runHere<DoctorHost>(doctorCommand, [], { environment, machine, clock: Date.now });
    expect(output).to.match(/^ok {7}database .*can be written$/m);
    expect(output).to.match(/^ok {7}standby .*on its disk before it is acknowledged$/m);
  });

  it('loses nothing that was acknowledged when the primary is killed, and continues by itself with the promoted standby', async function () {
    this.timeout(LIMIT);
    const settings = { DATABASE_URL: url, SMS_GATEWAY: 'off', RATE_LIMIT: '0' };
    const service = new ServiceUnderTest(folder.path, await freePort(), settings);
    const setting = {
      service,
      database: location(),
      postgres: primary,
      bookings: plannedBookings(Date.now()),
      random: Math.random,
      rounds: 1,
      clients: 8,
      longestStart: LIMIT,
      progress: () => {},
    };
    const moves: string[] = [];
    const beside = await openStore(location(), { mustExist: true, onMove: (address) => moves.push(address) });
    await beside.referenceVersion();
    const { cutOff, promote } = standby;
    const { figures, ok } = await failover(setting, { cutOff, kill: primary.kill, promote });
    expect(figures).to.include({ lost: 0, doubled: 0, 'wrong answers': 0 });
    expect(ok, JSON.stringify(figures)).to.equal(true);
    // A store that was idle meanwhile finds its connection broken.
    await beside.referenceVersion().catch(() => beside.referenceVersion());
    await beside.close();
    expect(moves).to.deep.equal([`127.0.0.1:${standby.port}`]);
  });

  it('is the promoted standby even if the old primary is back and accepts writes, too', async function () {
    this.timeout(LIMIT);
    await primary.start();
    for (const address of [url, standbyFirst]) {
      const store = await openStore(readConfig({ DATABASE_URL: address }).database, { mustExist: true });
      expect(store.description).to.include(`:${standby.port},`);
      await store.close();
    }
  });
});
