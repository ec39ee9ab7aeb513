import { expect } from 'chai';
import pg from 'pg';
import { migrateCommand } from '../../../../src/commands/database-commands.ts';
import { inspectPostgres } from '../../../../src/doctor/inspect-postgres.ts';
import { Readiness } from '../../../../src/doctor/readiness.ts';
import { createLog } from '../../../../src/log/log.ts';
import { readConfig } from '../../../../src/settings/config.ts';
import type { PostgresLocation } from '../../../../src/store/database-location.ts';
import { SCHEMA_STEPS } from '../../../../src/store/migrations/migrate.ts';
import { openStore } from '../../../../src/store/open-store.ts';
import { SetUpError } from '../../../../src/vocabulary/errors.ts';
import { runHere } from '../../../support/commands/run-here.ts';
import { asAdministrator } from '../../../support/database/as-administrator.ts';
import { asLaterVersion, LATER_STEP } from '../../../support/database/later-version.ts';
import { emptyPostgresDatabase, ON_POSTGRES } from '../../../support/database/test-database.ts';
import { perTest } from '../../../support/prepared.ts';
import { startedServices } from '../../../support/process/started-services.ts';
import { addDoctors } from '../store-suite.ts';
import { serviceRights } from './service-rights.ts';

const ROLE = 'tpwebservices_service';
const CENTER = { id: 1, name: 'Center 1', timeZone: 'Asia/Kolkata', phoneRegion: null };
const LAST_STEP = [...SCHEMA_STEPS.keys()].at(-1);

const inspect = (url: string) => inspectPostgres(readConfig({ DATABASE_URL: url }).database as PostgresLocation);

(ON_POSTGRES ? describe : describe.skip)('The schema of a PostgreSQL database (npm run ci -- postgres)', () => {
  const services = startedServices({ DATABASE_CREATE: 'false' });
  afterEach(async () => {
    await asOwner(`DROP OWNED BY ${ROLE}; DROP ROLE ${ROLE}`).catch(() => {});
  });
  const own = perTest(() => emptyPostgresDatabase());
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
    expect([made.code, made.output]).to.deep.equal([0, 'The schema is that of this version.\n']);
    const upgraded = await asLaterVersion(() => migrate());
    expect(upgraded.output.split('\n')).to.deep.equal([
      `schema upgrade begins: from ${LAST_STEP}, to ${LATER_STEP}`,
      `schema step begins: step ${LATER_STEP}`,
      `schema brought up to date: from ${LAST_STEP}, to ${LATER_STEP}`,
      'The schema is that of this version.',
      '',
    ]);
  });

  it('is left to its owner by a service whose role may not change tables: it starts, or says what to run', async () => {
    await migrate({ DATABASE_CREATE: 'true' });
    await asOwner(serviceRights);
    const service = await services.ready({ DATABASE_URL: asService(), DEMO_DATA: 'false' });
    expect(await service.stop()).to.equal(0);

    const { database } = readConfig({ DATABASE_URL: asService() });
    const late = await asLaterVersion(() => openStore(database).catch(({ message }) => message));
    expect(late).to.match(
      /^The database \S+ is of an older version of the service, and this user may not change its tables \(permission denied for [^;]+\); run tpws migrate as the user who owns them, then start the service again\.$/,
    );

    await asLaterVersion(() => migrate());
    await asOwner(serviceRights.replace(/^CREATE ROLE.*$/m, ''));
    await asLaterVersion(async () => (await openStore(database)).close());
  });

  it('is reported by the doctor if the role has not been granted its rights', async () => {
    await migrate({ DATABASE_CREATE: 'true' });
    await asOwner(`${serviceRights}; REVOKE INSERT ON appointment, day_token FROM ${ROLE}`);
    const lacks = (rights: string) =>
      `this user lacks ${rights}; run deploy/postgres/rights.sql in the database as a superuser`;
    const inserts = lacks('INSERT on appointment, INSERT on day_token');
    expect((await inspect(asService())).unusable).to.equal(inserts);
    await asOwner(`GRANT INSERT ON appointment, day_token TO ${ROLE}`);
    const store = await openStore(readConfig({ DATABASE_URL: asService() }).database);
    const readiness = new Readiness(store, createLog('silent'));
    expect(await readiness.check()).to.equal(undefined);

    // Without it nothing can be booked.
    await asOwner(`REVOKE EXECUTE ON FUNCTION pg_advisory_xact_lock(bigint) FROM ${ROLE}`);
    const execute = lacks('EXECUTE on pg_advisory_xact_lock(bigint)');
    expect((await inspect(asService())).unusable).to.equal(execute);
    expect(await readiness.check()).to.equal(`In the database, ${execute}.`);
    await store.close();
    const open = () => openStore(readConfig({ DATABASE_URL: asService() }).database).catch((error) => error);
    expect(await open())
      .to.be.instanceOf(SetUpError)
      .with.property('message')
      .that.includes(`: ${execute}.`);

    await asOwner(`REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ${ROLE}`);
    expect((await open()).message).to.match(/this user lacks .*SELECT on appointment, .*SELECT on kysely_migration/);
  });

  /** The most that waits for locks and statements may take, ms: an upgrade waits twelve times as long for a session that uses its tables. */
  const locationWithin = (timeoutMs: number) => ({
    ...(readConfig({ DATABASE_URL: own.url }).database as PostgresLocation),
    timeoutMs,
  });
  const SESSION = 'role \\S+, program pg_dump, process [0-9]+, idle in a transaction';

  it('waits while a session uses its tables, and names it; the calls of the previous version are answered meanwhile', async () => {
    await migrate({ DATABASE_CREATE: 'true' });
    const previous = await openStore(locationWithin(5000));
    await addDoctors(previous);
    const reported: string[] = [];
    const sessions: (string | undefined)[] = [];
    // As pg_dump does, for as long as it runs.
    const dump = new pg.Client({ connectionString: own.url, application_name: 'pg_dump' });
    await dump.connect();
    await dump.query('BEGIN; LOCK TABLE center IN ACCESS SHARE MODE');
    const waited = Promise.withResolvers<void>();
    const upgrading = asLaterVersion(() =>
      // As an import does, whose statements may take long.
      openStore(locationWithin(600_000), {
        onUpgrade: (event, { sessions: session }) => {
          if (event !== 'schema upgrade waits for a session') reported.push(event);
          else if (sessions.push(session) === 2) waited.resolve();
        },
      }),
    );
    let isWaiting = true;
    const stopped = waited.promise.then(() => {
      isWaiting = false;
    });
    while (isWaiting) {
      await previous.write(({ referenceTables }) => referenceTables.put('center', CENTER));
      expect(await previous.reference().then((reference) => reference.center(1))).to.include({ name: 'Center 1' });
    }
    await stopped;
    await dump.query('COMMIT');
    await dump.end();
    await (await upgrading).close();
    await previous.close();
    expect([...reported.slice(0, 2), reported.at(-1)]).to.deep.equal([
      'sessions of another version are connected; end them',
      'schema upgrade begins',
      'schema brought up to date',
    ]);
    expect(sessions[0]).to.match(new RegExp(`^${SESSION}$`));
  });

  it('is left as it was, with a sentence, if a session does not end its transaction', async () => {
    await migrate({ DATABASE_CREATE: 'true' });
    const idle = new pg.Client({ connectionString: own.url, application_name: 'pg_dump' });
    await idle.connect();
    await idle.query('BEGIN; SELECT FROM center');
    // Far more than a statement takes on a busy machine: one that is late for another reason would be reported otherwise.
    const error = await asLaterVersion(() => openStore(locationWithin(500)).catch((reason: unknown) => reason));
    expect((error as Error).message).to.match(
      new RegExp(
        `^The schema of the database \\S+ was not upgraded, and is as it was: its tables are used by ${SESSION}\\. End that session, or wait until it has finished, and start again\\.$`,
      ),
    );
    await idle.end();
    expect((await inspect(own.url)).schema).to.equal('current');
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
