import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { backupCommand, retentionCommand } from '../../src/commands/database-commands.ts';
import { doctorCommand } from '../../src/commands/doctor/doctor-command.ts';
import { exportCommand } from '../../src/commands/export-command.ts';
import { importCommand } from '../../src/commands/import-command.ts';
import { mountSmallDisk, type SmallDisk } from '../durability/small-disk.ts';
import { addDoctors } from '../store/store-suite.ts';
import { runHere } from '../support/commands/run-here.ts';
import { type TemporaryDatabase, temporaryDatabase } from '../support/database/temporary-database.ts';
import { skipTest } from '../support/skip-test.ts';

describe('A database on a disk that is mounted read-only', () => {
  let database: TemporaryDatabase;
  let disk: SmallDisk | undefined;
  let environment: Readonly<Record<string, string>>;
  let file: string;
  beforeEach(async function () {
    database = temporaryDatabase({ isNew: true });
    const store = await database.open();
    await addDoctors(store);
    await store.close();
    disk = mountSmallDisk(join(database.folder, 'mounted'), 16);
    if (disk === undefined) skipTest(this, 'no file system can be mounted, which needs root');
    file = join(disk.path, 'hospital.db');
    copyFileSync(database.file, file);
    await disk.readOnly(true);
    environment = { DATABASE_URL: `sqlite:${file}` };
  });
  afterEach(async () => {
    disk?.remove();
    await database.dispose();
  });
  const run = (command: typeof exportCommand, ...args: readonly string[]) =>
    runHere(command, args, { environment, folder: database.folder });

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
    expect(existsSync(`${file}-shm`)).to.equal(false);
    const imported = await run(importCommand, 'doctors.csv');
    expect(imported.errors).to.equal(`The database cannot be opened: ${file} is on a file system that is read-only.\n`);
    const deleted = await run(retentionCommand as typeof exportCommand);
    expect([deleted.code, deleted.errors]).to.satisfy(
      () => deleted.code === 1 && /^The database cannot be changed: .*read-only\.\n$/.test(deleted.errors),
    );
    const machine = { nodeVersion: 'v26.10.0', timeZoneData: '2026a', platform: 'linux' } as const;
    const { output } = await runHere(doctorCommand, [], { environment, machine });
    expect(output).to.match(/^wrong +database +SQLite file \S+: \S+ is on a file system that is read-only\.$/m);
  });
});
