import { expect } from 'chai';
import { readContract } from '../../../../src/contract/read-contract.ts';
import { ownWsdl } from '../../../../src/contract/wsdl-document.ts';
import { serviceFindings } from '../../../../src/doctor/findings.ts';
import { readConfig } from '../../../../src/settings/config.ts';
import type { PostgresLocation } from '../../../../src/store/database-location.ts';
import { openStore } from '../../../../src/store/open-store.ts';
import { startPool } from '../../../../src/store/postgres/postgres-pool.ts';
import type { Store } from '../../../../src/store/store.ts';
import { runDoctor } from '../../../support/commands/run-doctor.ts';
import { asAdministrator } from '../../../support/database/as-administrator.ts';
import { emptyPostgresDatabase, ON_POSTGRES } from '../../../support/database/test-database.ts';
import { perTest } from '../../../support/prepared.ts';

const open = (url: string): Promise<Store> => openStore(readConfig({ DATABASE_URL: url }).database);

(ON_POSTGRES ? describe : describe.skip)('The doctor on PostgreSQL (npm run ci -- postgres)', () => {
  const database = perTest(() => emptyPostgresDatabase());
  const doctor = (url = database.url, clock = Date.now) =>
    runDoctor({ DATABASE_URL: url, DATABASE_CREATE: 'true' }, { clock, databaseClock: undefined });

  it('checks the server, schema, clocks and connections', async () => {
    expect((await doctor()).output).to.match(/^ok {7}schema .*empty: the next start creates the tables$/m);
    await (await open(database.url)).close();
    const { output } = await doctor();
    expect(output).to.match(/^ok {7}database .*PostgreSQL .*, can be written$/m);
    expect(output).to.match(/^ok {7}schema .*that of this version$/m);
    expect(output).to.match(/^ok {7}clocks/m);
    expect(output).to.match(/^ok {7}connections .*10 wanted/m);
  });

  it('reports a server that does not exist, and shows no password', async () => {
    const { output, code } = await doctor('postgres://hospital:hush@127.0.0.1:1/none');
    expect(output).to.match(/^wrong {4}database/m);
    expect(output).not.to.include('hush');
    expect(code).to.equal(1);
  });

  it('reports clocks that differ, as the status page of a service does, and everything else all the same', async () => {
    const store = await open(database.url);
    const late = () => Date.now() + 120_000;
    const { output } = await doctor(database.url, late);
    expect(output)
      .to.match(/^wrong {4}clocks .*clock is 1(?:19|20)\.\d s behind this machine's; synchronize both with NTP\.$/m)
      .and.match(/^ok {7}outbox/m);
    const context = {
      config: readConfig({ DATABASE_URL: database.url }),
      contract: readContract(ownWsdl()),
      environment: {},
      clock: late,
      machine: { platform: process.platform, who: 'This process' },
    };
    const findings = await serviceFindings(context, store, 10_000);
    expect(findings.find(({ subject }) => subject === 'clocks')?.verdict).to.equal('wrong');
    await store.close();
  });

  it('names the server’s clock if something was recorded in the future by it', async () => {
    const store = await open(database.url);
    await store.write(({ facts }) => facts.noteStart('last-backup', Date.now() + 3 * 86_400_000));
    await store.close();
    expect((await doctor()).output).to.match(
      /^warning +backup +The last one is 3 days ahead of the database server's clock; set the clock\.$/m,
    );
  });

  it('and the service, with the upgrade of its schema, need nothing that is set for the database', async () => {
    const name = new URL(database.url).pathname.slice(1);
    await asAdministrator(database.url, (client) =>
      client.query(
        `ALTER DATABASE ${name} SET default_transaction_read_only = on; ALTER DATABASE ${name} SET statement_timeout = '1h'`,
      ),
    );
    const starting = startPool(readConfig({ DATABASE_URL: database.url }).database as PostgresLocation);
    expect((await starting.query('SHOW statement_timeout')).rows).to.deep.equal([{ statement_timeout: '0' }]);
    await starting.end();
    const store = await open(database.url);
    await store.write(({ facts }) => facts.noteStart('cleaned-on', Date.now()));
    await store.close();
    expect((await doctor()).output).to.match(/^ok {7}database .*, can be written$/m);
  });

  it('finds the guards complete where PostgreSQL quotes every name, and where it did so as they were created', async () => {
    const name = new URL(database.url).pathname.slice(1);
    const functions =
      "SELECT oid::regprocedure AS f FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proconfig IS NOT NULL";
    const quoting = `ALTER DATABASE ${name} SET quote_all_identifiers = on`;
    await asAdministrator(database.url, (client) => client.query(quoting));
    await (await open(database.url)).close();
    const guards = async () => /^.* guards .*$/m.exec((await doctor()).output)?.[0];
    expect(await guards()).to.match(/^ok/);
    await asAdministrator(database.url, (client) =>
      client.query(`DO $$ DECLARE each record; BEGIN FOR each IN ${functions}
        LOOP EXECUTE format('ALTER FUNCTION %s SET search_path = public, pg_temp', each.f); END LOOP; END $$`),
    );
    expect(await guards()).to.match(/^ok/);
  });
});
