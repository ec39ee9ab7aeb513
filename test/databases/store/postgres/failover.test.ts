import { expect } from 'chai';
import { readConfig } from '../../../../src/settings/config.ts';
import { openStore } from '../../../../src/store/open-store.ts';
import { runDoctor } from '../../../support/commands/run-doctor.ts';
import { asAdministrator } from '../../../support/database/as-administrator.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../../../support/database/private-postgres.ts';
import { type Standby, startStandby } from '../../../support/database/standby.ts';
import { HAS_HAPROXY, type HaProxy, startHaProxy } from '../../../support/database/start-haproxy.ts';
import { ON_POSTGRES } from '../../../support/database/test-database.ts';
import { freePort } from '../../../support/process/free-port.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../support/process/temporary-folder.ts';
import { skipTest } from '../../../support/skip-test.ts';
import { plannedBookings } from '../../durability/booking-plan.ts';
import { failover } from '../../durability/failover.ts';
import { ServiceUnderTest } from '../../durability/service-under-test.ts';

const LIMIT = 90_000;

// One cluster for all of these tests, which run in this order: each begins where the previous one ended.
(ON_POSTGRES ? describe : describe.skip)('A primary and its standby behind HAProxy (npm run ci -- postgres)', () => {
  let folder: TemporaryFolder;
  let primary: PrivatePostgres;
  let standby: Standby;
  let proxy: HaProxy;
  let url: string;
  before(async function () {
    this.timeout(LIMIT);
    if (!HAS_HAPROXY) skipTest(this, 'Debian’s haproxy is not installed');
    folder = temporaryFolder();
    primary = await startPrivatePostgres({ durable: false });
    const own = await primary.createDatabase('hospital');
    standby = await startStandby(primary, { isSynchronous: true });
    proxy = await startHaProxy(primary.url, standby.port);
    url = proxy.urlOf(own);
  });
  after(async function () {
    this.timeout(LIMIT);
    await proxy?.stop();
    await standby?.dispose();
    await primary?.dispose();
    folder?.remove();
  });

  const serverPort = () =>
    asAdministrator(url, async (client) => (await client.query('SELECT inet_server_port() AS port')).rows[0].port);

  it('are found by the doctor, who says whether a commit waits for the standby', async () => {
    const { output } = await runDoctor({ DATABASE_URL: url }, { clock: Date.now });
    expect(output).to.match(/^ok {7}database .*can be written$/m);
    expect(output).to.match(/^ok {7}standby .*on its disk before it is acknowledged$/m);
  });

  it('keep the reads going and open no more connections while the standby is away; no COMMIT counts that it has not', async function () {
    this.timeout(30_000);
    const poolSize = 5;
    const environment = { DATABASE_URL: url, DATABASE_POOL_SIZE: String(poolSize) };
    const store = await openStore({ ...readConfig(environment).database, timeoutMs: 1000 });
    const write = (name: string) =>
      store
        .write(({ facts }) => facts.set({ name, value: '1' }), [name])
        .then(
          () => 'stored',
          (error) => `${error.code}: ${error.reason}`,
        );
    const ask = (sql: string) => asAdministrator(primary.url, async (client) => (await client.query(sql)).rows);
    const backends = "FROM pg_stat_activity WHERE application_name LIKE 'tpwebservices %'";
    try {
      expect(await write('before')).to.equal('stored');
      standby.away();
      for (let round = 0; round < 3; round++) {
        const answers = await Promise.all(Array.from({ length: 12 }, (_, each) => write(`${round} ${each}`)));
        expect(answers.filter((answer) => !answer.startsWith('Unavailable: '))).to.deep.equal([]);
        expect(await store.read(({ facts }) => facts.get('before'))).to.equal('1');
        expect((await ask(`SELECT pid ${backends}`)).length).to.be.at.most(poolSize);
      }
      expect(await write('refused')).to.match(/^Unavailable: .*standby \(SyncRep\)$/);
      const { output } = await runDoctor({ DATABASE_URL: url }, { clock: Date.now });
      expect(output).to.match(/^wrong {4}standby .*no standby/m);
      standby.back();
      const stored = async () => (await write('after')) === 'stored';
      for (const late = AbortSignal.timeout(5000); !late.aborted && !(await stored()); )
        await new Promise((resume) => setTimeout(resume, 50));
      expect(await write('after')).to.equal('stored');
      standby.away();
      const cancelled = write('cancelled');
      const cancel = `SELECT pg_cancel_backend(pid) ${backends} AND wait_event = 'SyncRep'`;
      while ((await ask(cancel)).length === 0);
      expect(await cancelled).to.equal('Unavailable: a COMMIT was not replicated');
    } finally {
      standby.back();
      await store.close();
    }
  });

  it('lose nothing that was acknowledged when the primary is killed; the service continues with the promoted standby', async function () {
    this.timeout(LIMIT);
    const settings = { DATABASE_URL: url, SMS_GATEWAY: 'off', RATE_LIMIT: '0' };
    const service = new ServiceUnderTest(folder.path, await freePort(), settings);
    const setting = {
      service,
      database: readConfig({ DATABASE_URL: url }).database,
      postgres: primary,
      bookings: plannedBookings(Date.now()),
      random: Math.random,
      rounds: 1,
      clients: 8,
      longestStart: LIMIT,
      progress: () => {},
    };
    const { cutOff, promote } = standby;
    const { figures, ok } = await failover(setting, { cutOff, kill: primary.kill, promote });
    expect(figures).to.include({ lost: 0, doubled: 0, 'wrong answers': 0 });
    expect(ok, JSON.stringify(figures)).to.equal(true);
    expect(await serverPort()).to.equal(standby.port);
  });

  it('stay with the promoted standby even if the old primary is back and accepts writes, too', async function () {
    this.timeout(LIMIT);
    await primary.start();
    // HAProxy checks each server once a second.
    for (const end = performance.now() + 4000; performance.now() < end; ) {
      expect(await serverPort()).to.equal(standby.port);
      await new Promise((resume) => setTimeout(resume, 200));
    }
  });
});
