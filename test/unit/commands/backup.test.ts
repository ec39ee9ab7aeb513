import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'chai';
import { backupCommand, restoreCommand } from '../../../src/commands/database-commands.ts';
import { firstColumn, firstValue, openFile } from '../../../src/store/sqlite/database-file.ts';
import { mountSmallDisk, type SmallDisk } from '../../databases/durability/small-disk.ts';
import { runHere } from '../../support/commands/run-here.ts';
import { type Hospital, openHospital } from '../../support/database/hospital.ts';
import { asLaterVersion } from '../../support/database/later-version.ts';
import { type TemporaryDatabase, temporaryDatabase } from '../../support/database/temporary-database.ts';
import { patient } from '../../support/http/booking-parameters.ts';
import { expectMode, skipOnWindows } from '../../support/process/on-windows.ts';
import { TEST_NOW } from '../../support/process/start-service.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { skipTest } from '../../support/skip-test.ts';

describe('A backup of an SQLite database', () => {
  let database: TemporaryDatabase;
  let hospital: Hospital;
  beforeEach(async () => {
    database = temporaryDatabase();
    hospital = await openHospital({}, await database.open());
  });
  afterEach(() => database.dispose());

  const host = (url = `sqlite:${database.file}`) => ({ environment: { DATABASE_URL: url }, folder: database.folder });
  const backup = (file = 'copy.db') => runHere(backupCommand, [file], host());
  const restore = (...args: readonly string[]) => runHere(restoreCommand, args, host());
  const restoreTo = (file: string, ...args: readonly string[]) =>
    runHere(restoreCommand, args, host(`sqlite:${join(database.folder, file)}`));
  const path = (file: string) => join(database.folder, file);
  const book = (n: number) =>
    hospital.book({ ...patient(n), DoctorID: 102 + (n % 8), app_time: `${10 + Math.floor(n / 8)}:00` });
  const idsIn = (file: string) => {
    const copy = openFile(file, { readOnly: true });
    const ids = firstColumn<number>(copy, 'SELECT id FROM appointment ORDER BY id');
    copy.close();
    return ids;
  };

  it('is complete, says what it contains, and can be read only by its owner', async () => {
    await book(1);
    const { code, output, errors } = await backup();
    expect([code, errors]).to.deep.equal([0, '']);
    expect(output).to.match(/^appointment: 1 row$/m);
    expect(output).to.match(/^doctor: 15 rows$/m);
    expect(output).to.match(/copy\.db is complete and intact\.\n$/);
    expectMode(path('copy.db'), 0o600);
    expect(readdirSync(database.folder).sort()).to.deep.equal(['copy.db', 'data']);
  });

  it('is recorded in the database with its start time, for the alarm about old backups, and in the audit trail, unless it failed', async () => {
    const lastOn = () => hospital.store.read(({ facts }) => facts.lastStart('last-backup'));
    await backup('disk/copy.db');
    expect(await lastOn()).to.equal(undefined);
    await backup();
    expect(await lastOn()).to.equal(TEST_NOW);
    const rows = await hospital.store.read(({ audit }) => audit.page({ client: 'tpws backup' }));
    expect(rows.map(({ operation, operator }) => [operation, operator])).to.deep.equal([['Backup', 'priya']]);
  });

  it('succeeds for a database that cannot record it, and says so', async () => {
    const { code, output, errors } = await asLaterVersion(() => backup());
    expect([code, output]).to.satisfy(() => code === 0 && /copy\.db is complete and intact\.\n$/.test(output));
    expect(errors).to.match(
      /^This backup could not be recorded in the database, so neither tpws_backup_age_seconds nor the audit trail shows it: .* older version.*\n$/,
    );
  });

  it('is refused if its folder does not exist, because its disk may not be mounted', async () => {
    const { code, errors } = await backup('disk/copy.db');
    expect(code).to.equal(1);
    expect(errors).to.match(/^There is no folder .*disk; expected/);
    expect(existsSync(path('disk'))).to.equal(false);
  });

  it('contains every booking that was answered before it began, while others continue', async () => {
    const before: number[] = [];
    for (let n = 0; n < 20; n++) before.push((await book(n)).AppointmentID as number);
    let isOver = false;
    const going = (async () => {
      for (let n = 20; n < 60 && !isOver; n++) await book(n);
    })();
    const { code, errors } = await backup();
    isOver = true;
    await going;
    expect([code, errors]).to.deep.equal([0, '']);
    expect(idsIn(path('copy.db'))).to.include.members(before);
  });

  it('is written by one of two commands that write the same file, and the other says why it stopped', async () => {
    await book(1);
    const ends = await Promise.all([backup(), backup()]);
    expect(ends.map(({ code }) => code).sort()).to.deep.equal([0, 1]);
    expect(ends.map(({ errors }) => errors).join('')).to.match(
      /^\S+copy\.db exists already; expected the name of a new file\.\n$/,
    );
    expect(idsIn(path('copy.db'))).to.deep.equal([1]);
    expect(readdirSync(database.folder).sort()).to.deep.equal(['copy.db', 'data']);
  });

  it('refuses to overwrite a file, and a database that does not exist', async () => {
    writeFileSync(path('copy.db'), 'mine');
    const { code, errors } = await backup();
    expect(code).to.equal(1);
    expect(errors).to.include('copy.db exists already');
    expect(readFileSync(path('copy.db'), 'utf8')).to.equal('mine');
    const nothing = await runHere(backupCommand, ['new.db'], host(`sqlite:${path('no.db')}`));
    expect(nothing.errors).to.include('There is no database');
    expect(existsSync(path('no.db')) || existsSync(path('new.db'))).to.equal(false);
    const inMemory = await runHere(backupCommand, ['new.db'], host('sqlite::memory:'));
    expect(inMemory.errors).to.include('database in memory');
  });

  it('can be restored where there is no database, and be opened', async () => {
    const { AppointmentID } = await book(1);
    await backup();
    const { code, errors } = await restoreTo('new/hospital.db', 'copy.db');
    expect([code, errors]).to.deep.equal([0, '']);
    expect(idsIn(path('new/hospital.db'))).to.deep.equal([AppointmentID]);
    expectMode(path('new/hospital.db'), 0o600);
    expectMode(path('new'), 0o700);
  });

  it('is not restored over a database unless that database may be moved aside', async () => {
    await book(1);
    await backup();
    await book(2);
    await hospital.store.close();
    const refused = await restore('copy.db');
    expect([refused.code, refused.output]).to.deep.equal([1, '']);
    expect(refused.errors).to.include('--force');
    expect(idsIn(database.file)).to.have.length(2);

    const forced = await restore('copy.db', '--force');
    expect([forced.code, forced.errors]).to.deep.equal([0, '']);
    expect(forced.output).to.include(`${database.file}.before-restore.`);
    expect(idsIn(database.file)).to.have.length(1);
    expect(idsIn(`${database.file}.before-restore`)).to.have.length(2);
    const again = await restore('copy.db', '--force');
    expect(again.output).to.include(`${database.file}.before-restore-2.`);
    hospital = await openHospital({}, await database.open());
    await book(3);
  });

  for (const [what, lose, next] of [
    ['the database that it replaces', () => {}, 10_004],
    ['the backup, if what it replaces is lost', () => rmSync(database.file), 10_002],
  ] as const) {
    it(`goes on with numbers far beyond the last ones of ${what}`, async () => {
      await book(1);
      await backup();
      await book(2);
      await book(3);
      await hospital.ok('Sent_SMS', { Mobileno: '9845012345', Message: 'Hello', tempid: 0, SMSmode: 0 });
      await hospital.store.close();
      lose();
      const { output } = await restore('copy.db', '--force');
      expect(output).to.include('New appointments, messages and feedback skip 10000 numbers');
      const restored = await openHospital({}, await database.open());
      const { AppointmentID } = await restored.book({ ...patient(4), app_time: '15:00' });
      expect(AppointmentID).to.equal(next);
      const message = { Mobileno: '9845012345', Message: 'Hello again', tempid: 0, SMSmode: 0 };
      expect((await restored.ok('Sent_SMS', message)).SMSID).to.be.above(10_000);
      expect((await restored.ok('FB_Push_Details', { ipno: '2', roomno: '1' })).FeedbackID).to.equal(10_001);
      const rows = await restored.store.read(({ audit }) => audit.page({ client: 'tpws restore' }));
      expect(rows.map(({ operation, operator }) => [operation, operator])).to.deep.equal([['Restore', 'priya']]);
    });
  }

  it('is restored in place of the file to which a link leads, and the link stays', async function () {
    skipOnWindows(this, 'a link needs a right of its own');
    await book(1);
    await backup();
    await book(2);
    await hospital.store.close();
    symlinkSync(database.file, path('link.db'));
    const { code, errors, output } = await restoreTo('link.db', 'copy.db', '--force');
    expect([code, errors]).to.deep.equal([0, '']);
    expect(output).to.include(`${database.file}.before-restore.`);
    expect(lstatSync(path('link.db')).isSymbolicLink()).to.equal(true);
    expect(idsIn(database.file)).to.have.length(1);
    hospital = await openHospital({}, await database.open());
  });

  it('is not mixed with files left behind by a database that was removed', async () => {
    await book(1);
    await backup();
    await book(2);
    // As after a kill: the second booking is only in the write-ahead log.
    const left = readFileSync(`${database.file}-wal`);
    await hospital.store.close();
    rmSync(database.file);
    writeFileSync(`${database.file}-wal`, left);
    const { code, errors } = await restore('copy.db');
    expect([code, errors]).to.deep.equal([0, '']);
    expect(readdirSync(join(database.folder, 'data')).sort()).to.deep.equal([
      'hospital.db',
      'hospital.db.before-restore-wal',
    ]);
    expect(idsIn(database.file)).to.have.length(1);
    hospital = await openHospital({}, await database.open());
    await book(3);
  });

  it('is not mistaken for the earlier database by a service that starts during the restore', async function () {
    skipOnWindows(this, 'it gives no file that is open another content by its name');
    await backup();
    await hospital.store.close();
    // The steps of a restore, in slow motion.
    const lock = openFile(database.file);
    lock.exec('PRAGMA journal_mode = DELETE; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    const opening = database.open().then(
      () => 'opened',
      (error: Error) => error.message,
    );
    await new Promise((resume) => setTimeout(resume, 20));
    renameSync(path('copy.db'), database.file);
    lock.close();
    expect(await opening).to.match(/was replaced while the service started; start the service again/);
    hospital = await openHospital({}, await database.open());
    await book(1);
  });

  it('is not restored while the service has the database open', async () => {
    await backup();
    await book(1);
    const { code, errors } = await restore('copy.db', '--force');
    expect(code).to.equal(1);
    expect(errors).to.include('is in use; expected the service to be stopped');
    await book(2);
    expect(readdirSync(join(database.folder, 'data')).sort()).to.deep.equal([
      'hospital.db',
      'hospital.db-shm',
      'hospital.db-wal',
    ]);
  });

  it('is restored in place of a damaged database', async () => {
    await book(1);
    await backup();
    await hospital.store.close();
    writeFileSync(database.file, 'no database any more');
    const { code, errors } = await restore('copy.db', '--force');
    expect([code, errors]).to.deep.equal([0, '']);
    expect(idsIn(database.file)).to.have.length(1);
    expect(readFileSync(`${database.file}.before-restore`, 'utf8')).to.equal('no database any more');
  });

  it('is not restored if it is damaged, foreign or from a newer version; the database stays as it was', async () => {
    for (let n = 0; n < 40; n++) await book(n);
    await backup('cut.db');
    truncateSync(path('cut.db'), statSync(path('cut.db')).size - 20_000);
    writeFileSync(path('text.db'), 'a letter');
    const foreign = new DatabaseSync(path('foreign.db'));
    foreign.exec('CREATE TABLE a (b)');
    foreign.close();
    await backup('newer.db');
    const newer = openFile(path('newer.db'));
    newer.exec("INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-later', '')");
    newer.close();
    await backup('odd.db');
    const odd = openFile(path('odd.db'));
    const endless = 'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT max(n) FROM c';
    odd.exec(`CREATE TABLE "appointment"", (${endless}) --" (id)`);
    odd.close();
    await hospital.store.close();
    const before = readFileSync(database.file);

    for (const [file, words] of [
      ['cut.db', /damaged/],
      ['text.db', /damaged, or is not a database/],
      ['foreign.db', /is not a database of the service/],
      ['newer.db', /newer version/],
      ['odd.db', /schema of \S+ is not as the service creates it: .* was added/],
      ['nowhere.db', /There is no backup/],
    ] as const) {
      const { code, errors } = await restore(file, '--force');
      expect([code, errors], file).to.satisfy(() => code === 1 && words.test(errors));
    }
    const after = openFile(database.file, { readOnly: true });
    expect(firstValue(after, 'SELECT count(*) FROM appointment')).to.equal(40);
    after.close();
    expect(readdirSync(join(database.folder, 'data'))).to.deep.equal(['hospital.db']);
    expect(readFileSync(database.file)).to.have.length(before.length);
  });

  it('is not made of a database whose index, on which the guard against double bookings relies, does not match its table', async () => {
    await book(1);
    await hospital.store.close();
    const wrong = new DatabaseSync(database.file, { defensive: false });
    const isIndex = "WHERE name = 'appointment_standing_by_doctor'";
    // SQLite knows nothing of the index while the row is changed.
    wrong.exec(`PRAGMA writable_schema = ON;
      CREATE TEMPORARY TABLE kept AS SELECT * FROM sqlite_schema ${isIndex};
      DELETE FROM sqlite_schema ${isIndex};
      PRAGMA writable_schema = RESET`);
    wrong.exec(`UPDATE appointment SET seat = 2;
      PRAGMA writable_schema = ON;
      INSERT INTO sqlite_schema SELECT * FROM kept`);
    wrong.close();
    const { code, errors } = await backup();
    expect([code, errors]).to.deep.equal([
      1,
      `${database.file} is damaged: row 1 missing from index appointment_standing_by_doctor.\n`,
    ]);
    expect(existsSync(path('copy.db'))).to.equal(false);
  });

  it("is refused for another program's database, which the message identifies by one of its tables", async () => {
    const foreign = new DatabaseSync(path('foreign.db'));
    foreign.exec('CREATE TABLE pictures (id)');
    foreign.close();
    const { code, errors } = await runHere(backupCommand, ['copy.db'], host(`sqlite:${path('foreign.db')}`));
    expect(code).to.equal(1);
    expect(errors).to.match(/^The file \S+foreign\.db is another program's database: it has the table pictures; .*\n$/);
    expect(readdirSync(database.folder).sort()).to.deep.equal(['data', 'foreign.db']);
  });

  it('is not restored with a DATABASE_URL of PostgreSQL; the message names the document that says how', async () => {
    const { code, errors } = await runHere(
      restoreCommand,
      ['copy.db'],
      host('postgres://hospital@127.0.0.1:1/hospital'),
    );
    expect([code, errors]).to.deep.equal([
      1,
      'DATABASE_URL names a PostgreSQL database; expected pg_restore, as docs/operators/operating.md says.\n',
    ]);
  });

  describe('on a full disk', () => {
    const folder = temporaryFolder();
    let disk: SmallDisk | undefined;
    before(function () {
      disk = mountSmallDisk(join(folder.path, 'disk'), 1);
      if (disk === undefined) skipTest(this, 'no small disk can be mounted here');
    });
    after(() => {
      disk?.remove();
      folder.remove();
    });

    it('is not created, fails with a clear message, and leaves nothing behind', async () => {
      for (let n = 0; n < 20; n++) await book(n);
      const file = join(disk?.path ?? '', 'copy.db');
      writeFileSync(join(disk?.path ?? '', 'other'), Buffer.alloc(1_000_000));
      const { code, errors } = await backup(file);
      expect(code).to.equal(1);
      expect(errors).to.equal(`The disk of ${file} is full: nothing was written there.\n`);
      expect(readdirSync(disk?.path ?? '').sort()).to.deep.equal(['other']);
      await book(30);
    });

    it('is not restored, and what was there stays', async () => {
      await backup();
      const file = join(disk?.path ?? '', 'hospital.db');
      const { code, errors } = await runHere(restoreCommand, ['copy.db'], host(`sqlite:${file}`));
      expect(code).to.equal(1);
      expect(errors).to.equal(`The disk of ${file} is full: nothing was written there.\n`);
      expect(readdirSync(disk?.path ?? '').sort()).to.deep.equal(['other']);
    });
  });
});
