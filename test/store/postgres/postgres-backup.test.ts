import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { backupCommand } from '../../../src/commands/backup/backup-command.ts';
import { restoreCommand } from '../../../src/commands/backup/restore-command.ts';
import { type DoctorHost, doctorCommand } from '../../../src/commands/doctor/doctor-command.ts';
import { readConfig } from '../../../src/settings/config.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { mountSmallDisk } from '../../durability/small-disk.ts';
import { runHere } from '../../support/commands/run-here.ts';
import { type Hospital, openHospital } from '../../support/database/hospital.ts';
import { emptyPostgresDatabase, ON_POSTGRES, type OwnDatabase } from '../../support/database/test-database.ts';
import { expectMode } from '../../support/process/on-windows.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/process/temporary-folder.ts';
import { skipTest } from '../../support/skip-test.ts';

const { PATH } = process.env;
const open = (url: string): Promise<Store> => openStore(readConfig({ DATABASE_URL: url }).database);

(ON_POSTGRES ? describe : describe.skip)('A backup of a PostgreSQL database (npm run ci -- postgres)', () => {
  let folder: TemporaryFolder;
  let database: OwnDatabase;
  let hospital: Hospital;
  beforeEach(async () => {
    folder = temporaryFolder();
    database = await emptyPostgresDatabase();
    hospital = await openHospital({}, await open(database.url));
  });
  afterEach(async () => {
    await hospital.store.close();
    await database.remove();
    folder.remove();
  });

  const host = (url: string) => ({ environment: { DATABASE_URL: url, PATH }, folder: folder.path });
  const backup = (file = 'copy.dump') => runHere(backupCommand, [file], host(database.url));

  it('is complete, says what it contains, and can be read only by its owner', async () => {
    await hospital.ok('FB_Push_Details', { ipno: 'IP-1', needsimprovementcommit: 'one\ntwo\u2028three \\. \r\n\\.' });
    const { code, output, errors } = await backup();
    expect([code, errors]).to.deep.equal([0, '']);
    expect(output).to.match(/^feedback: 1 row$/m);
    expect(output).to.match(/^doctor: 15 rows$/m);
    expectMode(join(folder.path, 'copy.dump'), 0o600);
    expect(readdirSync(folder.path)).to.deep.equal(['copy.dump']);
    const again = await backup();
    expect([again.code, again.errors]).to.satisfy(() => again.code === 1 && /exists already/.test(again.errors));
  });

  it('can be restored into an empty database, and the service continues there', async () => {
    const { AppointmentID } = await hospital.book({});
    await backup();
    const other = await emptyPostgresDatabase();
    const restored = await runHere(restoreCommand, ['copy.dump'], host(other.url));
    expect([restored.code, restored.errors]).to.deep.equal([0, '']);
    const store = await open(other.url);
    const moved = await openHospital({}, store);
    expect(await moved.ok('Appointment_Status', { AppointmentID: Number(AppointmentID), centerid: 1 })).to.include({
      AppointmentID,
    });
    await moved.refused('Fetch_Details', {}, 10);
    await store.close();
    await other.remove();
  });

  it('is not restored from an SQLite backup, and the message says which command restores one', async () => {
    const file = join(folder.path, 'hospital.db');
    await (await open(`sqlite:${file}`)).close();
    const { code, errors } = await runHere(restoreCommand, ['hospital.db'], host(database.url));
    expect(code).to.equal(1);
    expect(errors).to.equal(
      `${file} is a backup of a SQLite database, and DATABASE_URL names one of PostgreSQL; restore it with DATABASE_URL=sqlite:FILE, then tpws move copies it here.\n`,
    );
  });

  it('is not created on a full disk: it fails with a clear message, and leaves nothing behind', async function () {
    const disk = mountSmallDisk(join(folder.path, 'disk'), 1);
    if (disk === undefined) return skipTest(this, 'no small disk can be mounted here');
    try {
      writeFileSync(join(disk.path, 'other'), Buffer.alloc(1_040_000));
      const { code, errors } = await backup('disk/copy.dump');
      expect(code).to.equal(1);
      expect(errors).to.match(
        /^The disk of \S+copy\.dump is full: no backup was made, and nothing of it is left behind\.\n$/,
      );
      expect(readdirSync(disk.path)).to.deep.equal(['other']);
    } finally {
      disk.remove();
    }
  });

  it('is not restored over existing tables, nor from a file that is not a backup', async () => {
    await backup();
    const over = await runHere(restoreCommand, ['copy.dump', '--force'], host(database.url));
    expect(over.code).to.equal(1);
    expect(over.errors).to.include('already contains tables');
    writeFileSync(join(folder.path, 'letter'), 'Dear Sirs');
    const letter = await runHere(restoreCommand, ['letter'], host(database.url));
    expect(letter.code).to.equal(1);
    expect(letter.errors).to.include('pg_restore failed');
  });

  it("needs PostgreSQL's programs, and says so if they are missing", async () => {
    const { code, errors } = await runHere(backupCommand, ['copy.dump'], {
      ...host(database.url),
      environment: { DATABASE_URL: database.url, PATH: folder.path },
    });
    expect(code).to.equal(1);
    expect(errors).to.include('There is no program pg_dump').and.include('postgresql-client');
    expect(readdirSync(folder.path)).to.deep.equal([]);
  });
});

(ON_POSTGRES ? describe : describe.skip)('The doctor on PostgreSQL (npm run ci -- postgres)', () => {
  const machine = { nodeVersion: 'v24.21.0', timeZoneData: '2026a', cores: 2, platform: 'linux' } as const;
  const doctor = async (url: string, environment: Readonly<Record<string, string>> = {}) =>
    runHere<DoctorHost>(doctorCommand, [], {
      environment: { DATABASE_URL: url, DATABASE_CREATE: 'true', PORT: '0', ...environment },
      machine,
      clock: Date.now,
    });

  it('checks the server, schema, clocks and connections', async () => {
    const database = await emptyPostgresDatabase();
    expect((await doctor(database.url)).output).to.match(/^ok {7}schema .*empty: the next start creates the tables$/m);
    await (await open(database.url)).close();
    const { output } = await doctor(database.url);
    expect(output).to.match(/^ok {7}database .*PostgreSQL .*, can be written$/m);
    expect(output).to.match(/^ok {7}schema .*that of this version$/m);
    expect(output).to.match(/^ok {7}clocks/m);
    expect(output).to.match(/^ok {7}connections .*10 wanted/m);
    await database.remove();
  });

  it('reports a server that does not exist, and shows no password', async () => {
    const { output, code } = await doctor('postgres://hospital:hush@127.0.0.1:1/none');
    expect(output).to.match(/^wrong {4}database/m);
    expect(output).not.to.include('hush');
    expect(code).to.equal(1);
  });
});
