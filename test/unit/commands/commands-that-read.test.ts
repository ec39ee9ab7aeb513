import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { openFile } from '../../../src/store/sqlite/database-file.ts';
import {
  ALL_NAMES,
  type CommandFolder,
  type CommandResult,
  commandFolder,
  writeAll,
} from '../../support/commands/command-folder.ts';
import { asLaterVersion } from '../../support/database/later-version.ts';
import { perTest } from '../../support/prepared.ts';

const COMMANDS: Readonly<Record<string, (folder: CommandFolder) => Promise<CommandResult>>> = {
  'An export': (folder) => folder.export('--out', 'out', 'centers'),
  'An export of the audit': (folder) => folder.audit('--out', 'out/centers.csv'),
  'A dry run': (folder) => folder.import('--dry-run', 'centers.csv'),
};

for (const [title, command] of Object.entries(COMMANDS)) {
  describe(`${title} neither creates nor changes a database:`, () => {
    const folder = perTest(() => commandFolder({ isNew: true }));
    beforeEach(() => {
      writeAll(folder);
      mkdirSync(`${folder.path}/out`);
      folder.write('out/centers.csv', 'of an earlier export');
    });

    /** Runs the command, which must fail, and returns its error output. */
    async function refused(): Promise<string> {
      const before = readdirSync(folder.path);
      const { code, output, errors } = await command(folder);
      expect([code, output]).to.deep.equal([1, []]);
      expect(readdirSync(folder.path)).to.deep.equal(before);
      expect(folder.read('out/centers.csv')).to.equal('of an earlier export');
      expect(readdirSync(`${folder.path}/out`)).to.deep.equal(['centers.csv']);
      return errors.join('\n');
    }

    function change(sql: string): void {
      const database = openFile(folder.databaseFile);
      database.exec(sql);
      database.close();
    }

    it('one that does not exist', async () => {
      expect(await refused()).to.equal(
        `There is no database ${folder.databaseFile}; expected DATABASE_URL to name the service's file.`,
      );
      expect(existsSync(folder.databaseFile)).to.equal(false);
    });

    it('an empty file', async () => {
      writeFileSync(folder.databaseFile, '');
      expect(await refused()).to.include('is of an older version of the service, or empty; run tpws migrate');
      expect(readFileSync(folder.databaseFile, 'utf8')).to.equal('');
    });

    it('one with an older schema', async () => {
      await folder.imported(...ALL_NAMES);
      const before = readFileSync(folder.databaseFile);
      expect(await asLaterVersion(() => refused())).to.include('is of an older version of the service');
      expect(readFileSync(folder.databaseFile).equals(before)).to.equal(true);
    });

    it('one with a newer schema', async () => {
      await folder.imported(...ALL_NAMES);
      change("INSERT INTO kysely_migration VALUES ('9999-of-tomorrow', '2099-01-01T00:00:00.000Z')");
      expect(await refused()).to.include('is of a newer version of the service, and this is');
    });

    it('a folder, and a file that is not a database', async () => {
      writeFileSync(folder.databaseFile, 'Dear Sir or Madam, this is no database at all. '.repeat(100));
      expect(await refused()).to.include('The database cannot be used: file is not a database');
      folder.dispose();
      mkdirSync(folder.databaseFile, { recursive: true });
      writeAll(folder);
      mkdirSync(`${folder.path}/out`);
      folder.write('out/centers.csv', 'of an earlier export');
      expect(await refused()).to.include(`${folder.databaseFile} is a folder; expected a file`);
    });
  });
}
