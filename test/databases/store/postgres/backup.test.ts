import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { programOf } from '../../../../src/commands/copies/postgres-backup.ts';
import { backupCommand } from '../../../../src/commands/database-commands.ts';
import { readConfig } from '../../../../src/settings/config.ts';
import { openStore } from '../../../../src/store/open-store.ts';
import { BEFORE_FIRST } from '../../../../src/store/queries/export-queries.ts';
import { root } from '../../../house/source-files.ts';
import { doctorsLine } from '../../../support/commands/doctors-line.ts';
import { runHere } from '../../../support/commands/run-here.ts';
import { asAdministrator } from '../../../support/database/as-administrator.ts';
import { openHospital } from '../../../support/database/hospital.ts';
import { databaseUrl, emptyPostgresDatabase, ON_POSTGRES } from '../../../support/database/test-database.ts';
import { patient } from '../../../support/http/booking-parameters.ts';
import { perSuite, perTest } from '../../../support/prepared.ts';
import { expectMode } from '../../../support/process/on-windows.ts';
import { temporaryFolder } from '../../../support/process/temporary-folder.ts';
import { until } from '../../../support/process/until.ts';
import { skipTest } from '../../../support/skip-test.ts';
import { mountSmallDisk, type SmallDisk } from '../../durability/small-disk.ts';
import { serviceRights } from './service-rights.ts';

const guide = readFileSync(new URL('../../../../docs/operators/operating.md', import.meta.url), 'utf8');
const [, section = ''] = guide.split('### Restoring PostgreSQL\n');
const [restore = '', rowsAlone = ''] = [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, text]) => text);

const ROLE = 'tpwebservices_service';

(ON_POSTGRES ? describe : describe.skip)('A backup of a PostgreSQL database (npm run ci -- postgres)', () => {
  const folder = perTest(temporaryFolder);
  const database = perSuite(() => emptyPostgresDatabase());
  const hospital = perSuite(async () =>
    openHospital({}, await openStore(readConfig({ DATABASE_URL: database.url }).database)),
  );

  const path = (file: string) => join(folder.path, file);
  const environment = (url = database.url) => ({ PATH: `${path('bin')}:${process.env.PATH}`, DATABASE_URL: url });
  const backup = ({ file = 'night', url = database.url, now = Date.now(), more = {} } = {}) =>
    runHere(backupCommand, [file], {
      environment: { ...environment(url), ...more },
      folder: folder.path,
      clock: () => now,
    });
  const lastOn = () => hospital.store.read(({ facts }) => facts.lastStart('last-backup'));
  const asOwner = (sql: string) => asAdministrator(database.url, (client) => client.query(sql));

  /** Puts a program in front of PostgreSQL's own, which it may call as `"$real"`. */
  function replaceProgram(name: string, script: string): void {
    const real = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
    const start = `#!/bin/sh\nreal=${real}\n[ "$*" != --version ] || exec "$real" --version\n`;
    mkdirSync(path('bin'), { recursive: true });
    writeFileSync(path(`bin/${name}`), `${start}${script}\n`, { mode: 0o755 });
  }

  async function expectNothingHappened(words: RegExp, run = backup()): Promise<void> {
    const before = await lastOn();
    const { code, output, errors } = await run;
    expect([code, output]).to.deep.equal([1, '']);
    expect(errors).to.match(words);
    expect(readdirSync(folder.path).filter((name) => name !== 'bin')).to.deep.equal([]);
    expect(await lastOn()).to.equal(before);
  }

  const shell = (text: string) => {
    const { hostname, port, username, password, pathname } = new URL(database.url);
    const env = {
      PATH: process.env.PATH,
      PGHOST: hostname,
      PGPORT: port,
      PGUSER: username,
      PGPASSWORD: password,
      PGDATABASE: pathname.slice(1),
    };
    const { status, stderr } = spawnSync('sh', ['-c', text], { cwd: folder.path, env, encoding: 'utf8' });
    expect(stderr).to.equal('');
    expect(status).to.equal(0);
  };

  it('says what it contains, can be read only by its owner, is recorded with its start time and in the audit trail, and restores every row', async () => {
    const { AppointmentID } = await hospital.book({});
    await asOwner(
      "INSERT INTO service_fact VALUES ('odd', E'a\\u2028b\\nCOPY public.doctor (id) FROM stdin;\\n\\\\.\\n')",
    );
    const now = Date.now();
    const { code, output, errors } = await backup({ file: 'backup-2026-11-20-0200', now });
    expect([code, errors]).to.deep.equal([0, '']);
    expect(output).to.match(/^appointment: 1 row$/m);
    expect(output).to.match(/^doctor: 15 rows$/m);
    expect(output).to.match(/backup-2026-11-20-0200 is complete and intact\.\n$/);
    expectMode(path('backup-2026-11-20-0200'), 0o600);
    expect(await lastOn()).to.equal(now);
    const rows = await hospital.store.read(({ audit }) => audit.page({ client: 'tpws backup' }));
    expect(rows.map(({ operation, operator }) => [operation, operator])).to.deep.equal([['Backup', 'priya']]);

    shell(restore);
    const store = await openStore(readConfig({ DATABASE_URL: databaseUrl('hospital_restored') }).database);
    const restored = await openHospital({}, store);
    expect(await restored.ok('Appointment_Status', { AppointmentID: Number(AppointmentID), centerid: 1 })).to.include({
      AppointmentID,
    });
    await restored.refused('Fetch_Details', { centerid: 1, DoctorID: 101 }, 10);
    const next = await restored.book({ app_time: '12:15', RegistrationNumber: 'R-2', Name: 'Ravi' });
    expect(next.AppointmentID).to.equal(Number(AppointmentID) + 10_001);
    const restores = await store.read(({ audit }) => audit.page({ operation: 'Restore' }));
    expect(restores.map(({ client }) => client)).to.deep.equal(['pg_restore']);
    await store.close();
    shell('dropdb hospital_restored');
  });

  it('is made by the role of the service, with the rights of rights.sql', async () => {
    await asOwner(serviceRights);
    try {
      const url = new URL(database.url);
      url.username = ROLE;
      const { code, errors } = await backup({ url: url.href });
      expect([code, errors]).to.deep.equal([0, '']);
    } finally {
      await asOwner(`DROP OWNED BY ${ROLE}; DROP ROLE ${ROLE}`);
    }
  });

  it('fails with the words of pg_dump if a role may not read everything', async () => {
    await asOwner(`${serviceRights}; REVOKE SELECT ON ALL SEQUENCES IN SCHEMA public FROM ${ROLE}`);
    try {
      const url = new URL(database.url);
      url.username = ROLE;
      await expectNothingHappened(
        /^pg_dump failed with 1: .*permission denied for sequence/,
        backup({ url: url.href }),
      );
    } finally {
      await asOwner(`DROP OWNED BY ${ROLE}; DROP ROLE ${ROLE}`);
    }
  });

  it('fails if a row of a table is missing in the dump', async () => {
    replaceProgram('pg_dump', 'exec "$real" "$@" --exclude-table-data=doctor');
    await expectNothingHappened(/^The backup is not complete: it has no rows of table doctor, expected 15\./);
  });

  it('fails if the dump is cut off', async () => {
    replaceProgram('pg_dump', '"$real" "$@"; truncate --size=-3000 "$(echo "$*" | sed "s/.*--file=//")"');
    await expectNothingHappened(/^pg_restore failed with 1: /);
  });

  it('fails if pg_dump is killed', async () => {
    replaceProgram('pg_dump', 'kill -9 $$');
    await expectNothingHappened(/^pg_dump failed with SIGKILL: /);
  });

  it('is not overwritten', async () => {
    writeFileSync(path('night'), 'mine');
    const { code, errors } = await backup();
    expect([code, errors]).to.deep.equal([1, `${path('night')} exists already; expected the name of a new file.\n`]);
    expect(readFileSync(path('night'), 'utf8')).to.equal('mine');
  });

  it('is not made of a database of another program', async () => {
    const other = await emptyPostgresDatabase();
    await expectNothingHappened(
      /^PostgreSQL \S+ at \S+, database \S+ is not a database of the service\.$/m,
      backup(other),
    );
    await other.remove();
  });

  it('uses the settings of DATABASE_URL, and shows the password to nobody: it is no argument of a program', async () => {
    for (const name of ['pg_dump', 'pg_restore']) {
      replaceProgram(
        name,
        `echo "$@" >> ${path('bin/arguments')}; echo "$PGPASSWORD $PGSSLMODE" >> ${path('bin/passwords')}; exec "$real" "$@"`,
      );
    }
    const url = new URL(database.url);
    url.password = 'gate%401';
    url.searchParams.set('sslmode', 'require');
    expect((await backup({ url: url.href })).code).to.equal(0);
    expect(readFileSync(path('bin/arguments'), 'utf8')).not.to.include('gate');
    expect(readFileSync(path('bin/passwords'), 'utf8')).to.equal('gate@1 require\ngate@1 require\n');
  });

  const dumpOf = (major: number, PATH: string) =>
    programOf('pg_dump', major, { environment: { PATH }, beforeEnd: () => () => {}, progress: () => {} }).catch(
      (error: Error) => error.message,
    );

  it('names the program that is missing, or of another version than the server', async () => {
    replaceProgram('pg_dump', '');
    expect(await dumpOf(99, path('bin'))).to.match(
      /^The server is PostgreSQL 99, and \S+bin\/pg_dump is of version \d+; expected the pg_dump of version 99 \(Debian: postgresql-client-99\)\.$/,
    );
    expect(await dumpOf(99, folder.path)).to.match(
      /^The server is PostgreSQL 99, and there is no pg_dump on the PATH; /,
    );
  });

  it('passes over a program that cannot be run, and says why if there is no other one', async () => {
    const words = 'You must install at least one postgresql-client-<version> package';
    mkdirSync(path('bin'));
    writeFileSync(path('bin/pg_dump'), `#!/bin/sh\necho '${words}' >&2\nexit 1\n`, { mode: 0o700 });
    expect((await backup()).code).to.equal(0);
    expect(await dumpOf(99, path('bin'))).to.match(
      /^The server is PostgreSQL 99, and \S+bin\/pg_dump cannot be run \(Command failed: .*You must install .* package\); /,
    );
  });

  it('is of the database that DATABASE_URL names, whatever the environment says', async () => {
    const { code, errors } = await backup({ more: { PGSERVICE: 'another', PGHOSTADDR: '192.0.2.1' } });
    expect([code, errors]).to.deep.equal([0, '']);
  });

  it('ends pg_dump, and leaves nothing behind, if a signal ends the command', async () => {
    replaceProgram('pg_dump', `echo $$ > ${path('bin/process')}; exec sleep 600`);
    const tpws = fileURLToPath(new URL('src/tpws.js', root));
    const env = { ...process.env, ...environment() };
    const child = spawn(process.execPath, [tpws, 'backup', 'night'], { cwd: folder.path, env });
    await until(() => existsSync(path('bin/process')) && readFileSync(path('bin/process'), 'utf8') !== '');
    child.kill('SIGTERM');
    const [, signal] = await once(child, 'close');
    expect(signal).to.equal('SIGTERM');
    expect(readdirSync(folder.path)).to.deep.equal(['bin']);
    const dump = Number(readFileSync(path('bin/process'), 'utf8'));
    await until(() => !existsSync(`/proc/${dump}/exe`));
  });

  describe('on a full disk', () => {
    let disk: SmallDisk | undefined;
    afterEach(() => disk?.remove());

    it('is not created, fails with a clear message, and leaves nothing behind', async function () {
      disk = mountSmallDisk(path('bin/disk'), 1);
      if (disk === undefined) skipTest(this, 'no small disk can be mounted here');
      for (let n = 0; n < 40; n++)
        await hospital.book({
          ...patient(n),
          DoctorID: 102,
          app_time: `${10 + Math.floor(n / 4)}:${['00', '15', '30', '45'][n % 4]}`,
        });
      writeFileSync(join(disk.path, 'other'), Buffer.alloc(1_000_000));
      const file = path('bin/disk/night');
      await expectNothingHappened(/^The disk of \S+night is full: nothing was written there\.$/m, backup({ file }));
      expect(readdirSync(disk.path)).to.deep.equal(['other']);
    });
  });

  it('does not have to contain the schema: the rows alone, and their numbers, are restored into a database that has it', async () => {
    shell('createdb hospital_new');
    const url = databaseUrl('hospital_new');
    await (await openStore(readConfig({ DATABASE_URL: url }).database)).close();
    shell(rowsAlone);
    expect(await doctorsLine(url, 'numbers')).to.match(/^ok/);
    const store = await openStore(readConfig({ DATABASE_URL: url }).database);
    expect(await store.read(({ exports }) => exports.appointmentsAfter(BEFORE_FIRST))).to.have.length.above(0);
    await store.close();
    shell('dropdb hospital_new');
  });
});
