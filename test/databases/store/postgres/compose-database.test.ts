import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { readContract } from '../../../../src/contract/read-contract.ts';
import { Metrics } from '../../../../src/doctor/metrics.ts';
import { readConfig } from '../../../../src/settings/config.ts';
import { openStore } from '../../../../src/store/open-store.ts';
import { locksOf } from '../../../../src/store/postgres/work-keys.ts';
import { runDoctor } from '../../../support/commands/run-doctor.ts';
import { asAdministrator } from '../../../support/database/as-administrator.ts';
import { databaseUrl, ON_POSTGRES } from '../../../support/database/test-database.ts';
import { temporaryFolder } from '../../../support/process/temporary-folder.ts';
import { RIGHTS_FILE } from './service-rights.ts';

const SCRIPT = fileURLToPath(new URL('../../../../deploy/compose/create-database.sh', import.meta.url));
const WSDL = readFileSync(new URL('../../../../wsdl/TPWebServices.wsdl', import.meta.url), 'utf8');

(ON_POSTGRES ? describe : describe.skip)('The database that compose.yaml creates (npm run ci -- postgres)', () => {
  const folder = temporaryFolder();
  const urlAs = (role: string, name: string) => Object.assign(new URL(databaseUrl(name)), { username: role }).href;
  const url = () => urlAs('tpwebservices', 'tpwebservices');
  const asSuperuser = (sql: string, name = 'postgres') =>
    asAdministrator(databaseUrl(name), async (client) => (await client.query(sql)).rows);
  const open = (options: Parameters<typeof openStore>[1] = {}) =>
    openStore(
      { ...readConfig({ DATABASE_URL: url() }).database, timeoutMs: 300 } as Parameters<typeof openStore>[0],
      options,
    );
  const doctor = () => runDoctor({ DATABASE_URL: url() }, { clock: Date.now });

  before(async () => {
    const password = join(folder.path, 'password');
    writeFileSync(password, "a'b\n");
    const { hostname, port, username } = new URL(databaseUrl('postgres'));
    const env = { PATH: process.env.PATH, PGHOST: hostname, PGPORT: port, POSTGRES_USER: username };
    const { stderr, status } = spawnSync('sh', [SCRIPT], {
      env: { ...env, DATABASE_PASSWORD_FILE: password, RIGHTS_FILE: fileURLToPath(RIGHTS_FILE) },
      encoding: 'utf8',
    });
    expect([stderr, status]).to.deep.equal(['', 0]);
    await asSuperuser('CREATE ROLE mallory LOGIN');
    await (await open()).close();
  });
  after(async () => {
    await asSuperuser('DROP DATABASE IF EXISTS tpwebservices WITH (FORCE)');
    await asSuperuser('DROP ROLE mallory');
    await asSuperuser('DROP ROLE tpwebservices');
    folder.remove();
  });

  it("keeps the rows that constraints refuse out of the server's log", async () => {
    const rows = await asSuperuser('SHOW log_error_verbosity', 'tpwebservices');
    expect(rows).to.deep.equal([{ log_error_verbosity: 'terse' }]);
  });

  it('lets its owner serve, who has no rights on the server, and nobody else connect', async () => {
    expect(
      await asSuperuser("SELECT rolsuper, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname = 'tpwebservices'"),
    ).to.deep.equal([{ rolsuper: false, rolcreaterole: false, rolcreatedb: false }]);
    const refused = await asAdministrator(urlAs('mallory', 'tpwebservices'), async () => 'connected').catch(
      ({ code }) => code,
    );
    expect(refused).to.equal('42501');
    const { output } = await doctor();
    expect(output)
      .to.match(/^ok +guards/m)
      .and.not.match(/ rights /);
  });

  it('is reported by the doctor once everybody may connect to it or create tables in it', async () => {
    await asSuperuser(
      `GRANT CONNECT ON DATABASE tpwebservices TO PUBLIC; GRANT CREATE ON SCHEMA public TO PUBLIC;
        GRANT EXECUTE ON FUNCTION pg_advisory_lock(bigint) TO PUBLIC`,
      'tpwebservices',
    );
    const { output, code } = await doctor();
    expect(output.match(/^warning +rights .*$/gm)).to.have.length(2);
    expect(code).to.equal(output.includes('fsync is off') ? 1 : 0);
  });

  it('then lets everybody stop all writes, which the error and a metric show, with whose session it is', async () => {
    const metrics = new Metrics({ contract: readContract(WSDL), stopwatch: () => performance.now() });
    const store = await open({ timer: metrics });
    await store.write(async () => {});
    const [row] = await asSuperuser("SELECT value FROM service_fact WHERE name = 'lock-secret'", 'tpwebservices');
    // pg_locks shows everybody the ids that are held, though not what they stand for.
    const [everything] = locksOf(row.value);
    await asAdministrator(urlAs('mallory', 'tpwebservices'), async (client) => {
      await client.query(`SET application_name = 'notepad'; SELECT pg_advisory_lock(${everything})`);
      for (const keys of [['a'], [], undefined]) {
        const error = await store
          .write(({ facts }) => facts.set({ name: 'a', value: 'b' }), keys)
          .catch((reason) => reason);
        expect(error, `${keys} ${error.cause} ${error.cause?.code}`).to.include({ code: 'Unavailable' });
        expect(error.message).not.to.include('mallory');
        expect(error.reason).to.match(/^a lock of the service is held by role mallory, program notepad, process \d+$/);
      }
    });
    await store.write(({ facts }) => facts.set({ name: 'a', value: 'b' }), ['a']);
    expect(await metrics.registry.metrics()).to.match(/^tpws_blocked_writes_total 3$/m);
    await store.close();
  });
});
