import { join } from 'node:path';
import { expect } from 'chai';
import type { DefineCommand } from '../../../src/commands/command-host.ts';
import { backupCommand, restoreCommand } from '../../../src/commands/database-commands.ts';
import { exportCommand } from '../../../src/commands/export-command.ts';
import { importCommand } from '../../../src/commands/import-command.ts';
import { progressLine } from '../../../src/commands/progress-line.ts';
import { openFile } from '../../../src/store/sqlite/database-file.ts';
import { runHere } from '../../support/commands/run-here.ts';
import { ASHA, standingHospital } from '../../support/commands/standing-hospital.ts';

describe('The progress line', () => {
  let now: number;
  let written: string;
  const lineOn = (terminal: { readonly isTTY?: boolean; readonly columns?: number }, environment = {}) =>
    progressLine({ ...terminal, write: (text) => (written += text) }, environment, () => now);

  beforeEach(() => {
    now = 0;
    written = '';
  });

  it('replaces itself on a terminal, and leaves nothing behind', () => {
    const { progress, clear } = lineOn({ isTTY: true });
    progress('Copying', 1, 4);
    now = 1000;
    progress('Copying', 3, 4);
    progress('Counting', 12_345);
    progress('Checking');
    clear();
    clear();
    expect(written.split('\r\x1b[K')).to.deep.equal([
      '',
      'Copying: 25 %',
      'Copying: 75 %',
      'Counting: 12345',
      'Checking: …',
      '',
    ]);
  });

  it('writes a few times a second, however often it is called', () => {
    const { progress } = lineOn({ isTTY: true });
    for (; now < 1000; now++) progress('Copying', now, 1000);
    expect(written.match(/Copying/g)).to.have.length.within(2, 10);
  });

  it('stays on one line of a narrow terminal, whatever a file is called', () => {
    // Some terminals do not say how wide they are.
    lineOn({ isTTY: true, columns: 0 }).progress('Copying', 1, 4);
    expect(written).to.equal('\r\x1b[KCopying: 25 %');
    written = '';
    lineOn({ isTTY: true, columns: 20 }).progress(`Reading a\n\x1b[2J${'x'.repeat(100)}.csv`);
    expect(written.replace('\r\x1b[K', '')).to.match(/^[ -~]{19}$/);
  });

  for (const [where, terminal, environment] of [
    ['a pipe', {}, {}],
    ['CI', { isTTY: true }, { CI: 'true' }],
  ] as const) {
    it(`writes nothing in ${where}`, () => {
      const { progress, clear } = lineOn(terminal, environment);
      progress('Copying', 1, 4);
      clear();
      expect(written).to.equal('');
    });
  }
});

describe('Commands that take long', () => {
  const { folder, write } = standingHospital();

  it('say how far they have come', async () => {
    const environment = { DATABASE_URL: await folder.databaseUrl() };
    const steps = async (command: DefineCommand, ...args: readonly string[]) => {
      const shown = new Map<string, string>();
      const progress = (what: string, done = 0, total = 0) => shown.set(what, `${done}/${total}`);
      const end = await runHere(command, args, { environment, folder: folder.path, progress });
      expect(end).to.include({ code: 0, errors: '' });
      return [...shown];
    };
    write(`1,1,101,2027-01-04,09:00,09:15,${ASHA},Completed,1`, `1,2,101,2027-01-11,09:00,09:15,${ASHA},Completed,1`);
    const size = folder.read('appointments.csv').length;
    expect(await steps(importCommand, 'appointments.csv')).to.deep.equal([
      ['Reading appointments.csv', `${size}/${size}`],
      ['Importing appointments', '1/2'],
    ]);
    const path = join(folder.path, 'out/appointments.csv');
    expect(await steps(exportCommand, '--out', 'out', 'appointments')).to.deep.equal([[path, '2/0']]);
    // Of more pages than are copied at once.
    const database = openFile(folder.databaseFile);
    database.exec('UPDATE center SET name = hex(zeroblob(1000000)) WHERE id = 2');
    database.close();
    const backedUp = await steps(backupCommand, 'backup');
    expect(backedUp.map(([what]) => what)).to.deep.equal(['Copying the database', 'Checking the copy']);
    expect(backedUp[0]?.[1]).to.match(/^\d+\/\d{3}$/);
    expect((await steps(restoreCommand, 'backup', '--force')).map(([what]) => what)).to.deep.equal([
      'Copying the backup',
      'Checking the copy',
    ]);
  });
});
