import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { backupCommand, retentionCommand } from '../../../src/commands/database-commands.ts';
import { exportCommand } from '../../../src/commands/export-command.ts';
import { importCommand } from '../../../src/commands/import-command.ts';
import { mountSmallDisk } from '../../databases/durability/small-disk.ts';
import { addDoctors } from '../../databases/store/store-suite.ts';
import { runDoctor } from '../../support/commands/run-doctor.ts';
import { runHere } from '../../support/commands/run-here.ts';
import { temporaryDatabase } from '../../support/database/temporary-database.ts';
import { perTest } from '../../support/prepared.ts';
import { skipTest } from '../../support/skip-test.ts';

const smallDisk = (context: Mocha.Context, folder: string, megabytes: number) =>
  mountSmallDisk(join(folder, 'mounted'), megabytes) ??
  skipTest(context, 'no file system can be mounted, which needs root');

describe('A database on a disk that is mounted read-only', () => {
  const database = perTest(() => temporaryDatabase({ isNew: true }));
  const disk = perTest((context) => smallDisk(context, database.folder, 16));
  const file = () => join(disk.path, 'hospital.db');
  const environment = () => ({ DATABASE_URL: `sqlite:${file()}` });
  beforeEach(async () => {
    const store = await database.open();
    await addDoctors(store);
    await store.close();
    copyFileSync(database.file, file());
    await disk.readOnly(true);
  });
  const run = (command: typeof exportCommand, ...args: readonly string[]) =>
    runHere(command, args, { environment: environment(), folder: database.folder });

  it('can be backed up, although the backup cannot be recorded in it', async () => {
    const { code, output, errors } = await run(backupCommand, 'copy.db');
    expect([code, output]).to.satisfy(
      () => code === 0 && /doctor: 4 rows\n[\s\S]*copy\.db is complete and intact\.\n$/.test(output),
    );
    expect(errors).to.match(
      /^This backup could not be recorded in the database, .*: The database cannot be changed: \S+ is on a file system that is read-only\.\n$/,
    );
  });

  it('can be exported, although the export cannot be recorded in it', async () => {
    const { code, output, errors } = await run(exportCommand, '--out', 'out', 'doctors');
    expect(code).to.equal(0);
    expect(errors).to.match(
      /^This export could not be recorded in the database, .* is on a file system that is read-only\.\n$/,
    );
    expect(output).to.include('doctors.csv: 4 rows\n');
  });

  it('is refused by what would change it, with its path and the cause', async () => {
    expect(existsSync(`${file()}-shm`)).to.equal(false);
    const imported = await run(importCommand, 'doctors.csv');
    expect(imported.errors).to.equal(
      `The database cannot be opened: ${file()} is on a file system that is read-only.\n`,
    );
    const deleted = await run(retentionCommand as typeof exportCommand);
    expect([deleted.code, deleted.errors]).to.satisfy(
      () => deleted.code === 1 && /^The database cannot be changed: .*read-only\.\n$/.test(deleted.errors),
    );
    const { output } = await runDoctor(environment());
    expect(output).to.match(/^wrong +database +SQLite file \S+: \S+ is on a file system that is read-only\.$/m);
  });
});

describe('A full disk of temporary files', () => {
  const database = perTest(() => temporaryDatabase({ isNew: true }));
  const disk = perTest((context) => smallDisk(context, database.folder, 1));

  it('is named by an import that needs it, beside that of the database', async () => {
    const { folder } = database;
    const rows = Array.from({ length: 20_000 }, (_, i) => `1,7,${i + 1},2027-01-18,09:00,Asha Rao,+61491570006`);
    writeFileSync(join(folder, 'centers.csv'), 'centerid,CenterName\n1,Main\n');
    writeFileSync(join(folder, 'doctors.csv'), 'centerid,DoctorID,DoctorName\n1,7,Dr. Vikram Shetty\n');
    const titles = 'centerid,DoctorID,AppointmentID,date,time,Name,contactnumber';
    writeFileSync(join(folder, 'appointments.csv'), [titles, ...rows].join('\n'));
    const tpws = fileURLToPath(new URL('../../../src/tpws.js', import.meta.url));
    const files = ['centers.csv', 'doctors.csv', 'appointments.csv'];
    // SQLite reads the name of the folder once in a process.
    const { stderr, status } = spawnSync(process.execPath, [tpws, 'import', ...files], {
      cwd: folder,
      env: { DATABASE_URL: `sqlite:${database.file}`, SQLITE_TMPDIR: disk.path },
      encoding: 'utf8',
    });
    expect(stderr.split('\n')).to.include(
      'The disk of the database is full, or that of temporary files (SQLITE_TMPDIR, or else TMPDIR or /var/tmp; on Windows TMP): free some space there.',
    );
    expect(status).to.equal(1);
  });
});
