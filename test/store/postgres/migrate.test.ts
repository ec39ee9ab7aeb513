import { expect } from 'chai';
import { migrateCommand } from '../../../src/commands/migrate-command.ts';
import { inspectPostgres } from '../../../src/maintenance/inspect-postgres.ts';
import { readConfig } from '../../../src/settings/config.ts';
import type { PostgresLocation } from '../../../src/store/database-location.ts';
import { SCHEMA_STEPS } from '../../../src/store/migrations/migrate.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { runHere } from '../../support/commands/run-here.ts';
import { asAdministrator } from '../../support/database/as-administrator.ts';
import { asLaterVersion, LATER_STEP } from '../../support/database/later-version.ts';
import { emptyPostgresDatabase, ON_POSTGRES, type OwnDatabase } from '../../support/database/test-database.ts';
import { startedServices } from '../../support/process/started-services.ts';
import { serviceRights } from './service-rights.ts';

const ROLE = 'tpwebservices_service';
const LAST_STEP = [...SCHEMA_STEPS.keys()].at(-1);

const inspect = (url: string) =>
  inspectPostgres(readConfig({ DATABASE_URL: url }).database as PostgresLocation, Date.now);

(ON_POSTGRES ? describe : describe.skip)('The schema of a PostgreSQL database (npm run ci -- postgres)', () => {
  const services = startedServices({ DATABASE_CREATE: 'false' });
  let own: OwnDatabase;
  beforeEach(async () => {
    own = await emptyPostgresDatabase();
  });
  afterEach(async () => {
    await asOwner(`DROP OWNED BY ${ROLE}; DROP ROLE ${ROLE}`).catch(() => {});
    await own.remove();
  });
  const asOwner = (sql: string) => asAdministrator(own.url, (client) => client.query(sql));
  const asService = () => Object.assign(new URL(own.url), { username: ROLE }).href;
  const migrate = (environment: Readonly<Record<string, string>> = {}) =>
    runHere(migrateCommand, [], { environment: { DATABASE_URL: own.url, ...environment } });

  it('is created and migrated by tpws migrate, which reports both versions', async () => {
    const refused = await migrate();
    expect([refused.code, refused.errors]).to.satisfy(
      () => refused.code === 1 && /^There is no TPWebServices database in .*\n$/.test(refused.errors),
    );
    const made = await migrate({ DATABASE_CREATE: 'true' });
    expect([made.code, made.output]).to.deep.equal([0, `The schema is upgraded: from none to ${LAST_STEP}.\n`]);
    const upgraded = await asLaterVersion(() => migrate());
    expect(upgraded.output).to.equal(`The schema is upgraded: from ${LAST_STEP} to ${LATER_STEP}.\n`);
    const again = await asLaterVersion(() => migrate());
    expect([again.code, again.output]).to.deep.equal([0, 'The schema is already that of this version.\n']);
  });

  it('is left to its owner by a service whose role may not change tables: it starts, or says what to run', async () => {
    await migrate({ DATABASE_CREATE: 'true' });
    await asOwner(serviceRights);
    const service = await services.ready({ DATABASE_URL: asService(), DEMO_DATA: 'false' });
    expect(await service.stop()).to.equal(0);

    const { database } = readConfig({ DATABASE_URL: asService() });
    const late = await asLaterVersion(() => openStore(database).catch(({ message }) => message));
    expect(late).to.match(
      /^The database \S+ is of an older version of the service, and this user may not change its tables \(must be owner of table center\); run tpws migrate as the user who owns them, then start the service again\.$/,
    );

    await asLaterVersion(() => migrate());
    await asOwner(serviceRights.replace(/^CREATE ROLE.*$/m, ''));
    await asLaterVersion(async () => (await openStore(database)).close());
  });

  it('is reported by the doctor if the role has not been granted its rights', async () => {
    await migrate({ DATABASE_CREATE: 'true' });
    await asOwner(`${serviceRights}; REVOKE INSERT ON appointment, day_token FROM ${ROLE}`);
    const { unusable } = await inspect(asService());
    expect(unusable).to.equal(
      'this user may not add rows to appointment, day_token; grant it these rights again, as docs/privacy.md says',
    );
  });

  it('is migrated at the start by a role that may do so, and both versions are reported', async () => {
    await migrate({ DATABASE_CREATE: 'true' });
    const upgrades: unknown[] = [];
    const { database } = readConfig({ DATABASE_URL: own.url });
    const upgraded = await asLaterVersion(() =>
      openStore(database, { onUpgrade: (upgrade) => upgrades.push(upgrade) }),
    );
    await upgraded.close();
    expect(upgrades).to.deep.equal([{ from: LAST_STEP, to: LATER_STEP }]);
  });

  it('is inspected with the connection limit of the role, if that is lower than the server’s', async () => {
    await migrate({ DATABASE_CREATE: 'true' });
    await asOwner(serviceRights);
    const connections = async () =>
      (await inspect(asService())).findings.find(({ subject }) => subject === 'connections');
    expect(await connections()).to.include({ verdict: 'ok' });
    await asOwner(`ALTER ROLE ${ROLE} CONNECTION LIMIT 4`);
    expect(await connections()).to.include({ verdict: 'warning' });
    expect((await connections())?.text).to.match(/^10 wanted, 4 allowed;/);
  });
});
