import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { readConfig } from '../../../../src/settings/config.ts';
import { openStore } from '../../../../src/store/open-store.ts';
import { BEFORE_FIRST } from '../../../../src/store/queries/export-queries.ts';
import { doctorsLine } from '../../../support/commands/doctors-line.ts';
import { openHospital } from '../../../support/database/hospital.ts';
import { databaseUrl, emptyPostgresDatabase, ON_POSTGRES } from '../../../support/database/test-database.ts';
import { perSuite } from '../../../support/prepared.ts';
import { temporaryFolder } from '../../../support/process/temporary-folder.ts';

const guide = readFileSync(new URL('../../../../docs/operators/operating.md', import.meta.url), 'utf8');
const [, section = ''] = guide.split('### Backups of PostgreSQL\n');
const [backup = '', restore = '', rowsAlone = ''] = [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, text]) => text);

(ON_POSTGRES ? describe : describe.skip)('The commands for backups of PostgreSQL (npm run ci -- postgres)', () => {
  const folder = perSuite(temporaryFolder);
  const database = perSuite(() => emptyPostgresDatabase());
  const hospital = perSuite(async () =>
    openHospital({}, await openStore(readConfig({ DATABASE_URL: database.url }).database)),
  );

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
    const { status, stderr } = spawnSync('sh', ['-e', '-c', text], { cwd: folder.path, env, encoding: 'utf8' });
    expect(stderr).to.equal('');
    expect(status).to.equal(0);
  };

  it('write a backup that restores every row, and record when it began', async () => {
    const { AppointmentID } = await hospital.book({});
    const began = Date.now();
    shell(backup);
    const recorded = await hospital.store.read(({ facts }) => facts.lastStart('last-backup'));
    expect(recorded).to.be.within(began - 1000, Date.now());

    shell(`${restore.replace(/backup-\S+/, 'backup-*')}`);
    const store = await openStore(readConfig({ DATABASE_URL: databaseUrl('hospital_restored') }).database);
    const restored = await openHospital({}, store);
    expect(await restored.ok('Appointment_Status', { AppointmentID: Number(AppointmentID), centerid: 1 })).to.include({
      AppointmentID,
    });
    await restored.refused('Fetch_Details', { centerid: 1, DoctorID: 101 }, 10);
    const next = await restored.book({ app_time: '12:15', RegistrationNumber: 'R-2', Name: 'Ravi' });
    expect(next.AppointmentID).to.equal(Number(AppointmentID) + 10_001);
    const rows = await store.read(({ audit }) => audit.page({ operation: 'Restore' }));
    expect(rows.map(({ client }) => client)).to.deep.equal(['pg_restore']);
    await store.close();
    shell('dropdb hospital_restored');
  });

  it('restore the rows alone into a database with the schema, and their numbers', async () => {
    shell('createdb hospital_new');
    const url = databaseUrl('hospital_new');
    await (await openStore(readConfig({ DATABASE_URL: url }).database)).close();
    shell(rowsAlone);
    expect(await doctorsLine(url, 'numbers')).to.match(/^ok/);
    const store = await openStore(readConfig({ DATABASE_URL: url }).database);
    expect(await store.read(({ exports }) => exports.appointmentsAfter(BEFORE_FIRST))).to.have.length(1);
    await store.close();
    shell('dropdb hospital_new');
  });
});
