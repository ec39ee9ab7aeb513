import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { openFile } from '../../../src/store/sqlite/database-file.ts';
import { root } from '../../house/source-files.ts';
import { runDoctor } from '../../support/commands/run-doctor.ts';
import { temporaryDatabase } from '../../support/database/temporary-database.ts';
import { perTest } from '../../support/prepared.ts';
import { startReady } from '../../support/process/service-process.ts';

const file = (path: string) => fileURLToPath(new URL(path, root));

/** Makes a process see a file system of this type, as statfs(2) numbers them. */
const onFileSystem = (type: number) => {
  const script = `import fs from 'node:fs/promises'; import { syncBuiltinESMExports } from 'node:module';
    fs.statfs = async () => ({ type: ${type}, bavail: 1e9, bsize: 4096 }); syncBuiltinESMExports();`;
  return ['--import', `data:text/javascript,${encodeURIComponent(script)}`] as const;
};

describe('The disk of an SQLite file', () => {
  const database = perTest(() => temporaryDatabase({ isNew: true }));
  const settings = () => ({ DATABASE_URL: `sqlite:${database.file}` });

  it('is named by the doctor and by a start if it belongs to several machines', async () => {
    await (await database.open()).close();
    const command = [...onFileSystem(0x6969), file('src/tpws.js'), 'doctor'];
    const { stdout } = spawnSync(process.execPath, command, { encoding: 'utf8', env: { ...settings(), PORT: '0' } });
    expect(stdout).to.match(/^warning +disk +\S+ is on NFS, where two programs can damage an SQLite file; /m);
    const service = await startReady(database.folder, settings(), [
      process.execPath,
      ...onFileSystem(0x6969),
      file('src/main.ts'),
    ]);
    const warned = service.logLines().filter(({ subject }) => subject === 'disk');
    expect(warned).to.have.length(1);
    expect(await service.stop()).to.equal(0);
  });

  it('is being filled by the write-ahead log as long as somebody reads without an end', async () => {
    const store = await database.open();
    const disk = async () => (await runDoctor(settings())).output.match(/^warning +disk .*$/gm) ?? [];
    const forgotten = openFile(database.file);
    forgotten.exec('BEGIN');
    forgotten.prepare('SELECT count(*) FROM doctor').get();
    const writer = openFile(database.file);
    writer.exec("INSERT INTO service_fact VALUES ('large', printf('%.*c', 70000000, 'x'))");
    expect((await disk()).join()).to.match(
      /hospital\.db-wal has grown to 6\d MB, because a program reads without an end; /,
    );
    forgotten.close();
    writer.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    expect(await disk()).to.deep.equal([]);
    writer.close();
    await store.close();
  });
});
