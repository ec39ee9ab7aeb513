import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { backupCommand, migrateCommand, restoreCommand } from '../../../src/commands/database-commands.ts';
import { doctorCommand } from '../../../src/commands/doctor-command.ts';
import { importCommand } from '../../../src/commands/import-command.ts';
import { MACHINE } from '../../support/commands/run-doctor.ts';
import { runHere } from '../../support/commands/run-here.ts';
import { temporaryDatabase } from '../../support/database/temporary-database.ts';
import { skipOnWindows } from '../../support/process/on-windows.ts';

/** What DATABASE_URL may name by mistake: what creates it, and what the sentence calls it. */
const MISTAKES: Readonly<Record<string, readonly [create: (path: string) => void, words: RegExp]>> = {
  'a folder': [(path) => mkdirSync(path), /is a folder; expected a file/],
  'a link to a folder': [
    (path) => {
      mkdirSync(`${path}.d`);
      symlinkSync(`${path}.d`, path);
    },
    /is a folder; expected a file/,
  ],
  'a pipe': [(path) => spawnSync('mkfifo', [path]), /is a device or a pipe; expected a file/],
  "another program's file": [(path) => writeFileSync(path, 'a letter'.repeat(200)), /not a database/],
};

describe('DATABASE_URL with the path of', () => {
  for (const [what, [create, words]] of Object.entries(MISTAKES)) {
    it(`${what} ends in a sentence with every command, and nothing is changed`, async function () {
      skipOnWindows(this, 'it has no file modes');
      const database = temporaryDatabase();
      await (await database.open()).close();
      const path = join(database.folder, 'wrong');
      create(path);
      chmodSync(path, 0o755);
      const files = () => readdirSync(database.folder, { recursive: true }).sort();
      const before = files();
      const environment = { DATABASE_URL: `sqlite:${path}`, DATABASE_CREATE: 'true', PORT: '0' };
      for (const [command, ...args] of [
        [migrateCommand],
        [importCommand, 'nothing.csv'],
        [backupCommand, 'copy.db'],
        [restoreCommand, 'data/hospital.db', ...(what === "another program's file" ? [] : ['--force'])],
        [doctorCommand],
      ] as const) {
        const host = { environment, folder: database.folder, machine: MACHINE };
        const { code, output, errors } = await runHere<never>(command as never, args as string[], host as never);
        expect(code, command.name).to.equal(1);
        if (command !== importCommand)
          expect(output + errors, command.name).to.match(
            command === restoreCommand && words.source.includes('not a') ? /--force/ : words,
          );
        expect(output + errors, command.name).not.to.match(/^ {4}at /m);
      }
      expect(statSync(path).mode & 0o777).to.equal(0o755);
      expect(files()).to.deep.equal(before);
      await database.dispose();
    });
  }

  it('a link to a database is accepted, and the database kept private', async function () {
    skipOnWindows(this, 'it has no file modes');
    const database = temporaryDatabase();
    await (await database.open()).close();
    const path = join(database.folder, 'link.db');
    symlinkSync(database.file, path);
    chmodSync(database.file, 0o644);
    const environment = { DATABASE_URL: `sqlite:${path}` };
    expect((await runHere(migrateCommand, [], { environment })).code).to.equal(0);
    expect(statSync(database.file).mode & 0o777).to.equal(0o600);
    await database.dispose();
  });
});
