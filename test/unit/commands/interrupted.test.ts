import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { backupCommand } from '../../../src/commands/database-commands.ts';
import { root } from '../../house/source-files.ts';
import { runHere } from '../../support/commands/run-here.ts';
import { writeMigratedFile } from '../../support/database/migrated-file.ts';
import { skipOnWindows } from '../../support/process/on-windows.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/process/temporary-folder.ts';

describe('A command that is interrupted by a signal leaves nothing behind:', () => {
  let folder: TemporaryFolder;
  before(async function () {
    skipOnWindows(this, 'there are no signals');
    folder = temporaryFolder();
    const file = join(folder.path, 'hospital.db');
    await writeMigratedFile(file);
    const environment = { DATABASE_URL: `sqlite:${file}` };
    await runHere(backupCommand, ['backup.db'], { environment, folder: folder.path });
  });
  after(() => folder?.remove());

  /** Runs a command in a process that gets SIGINT as soon as the unfinished file exists. */
  async function interrupt(args: readonly string[], target: string, database: string) {
    const script = `
      import { readdirSync } from 'node:fs';
      import { thisProcess } from '${new URL('src/commands/this-process.ts', root)}';
      import { tpws } from '${new URL('src/commands/tpws.ts', root)}';
      const interruptOnce = () => {
        if (readdirSync('.').some((name) => name.startsWith('${target}.part'))) process.kill(process.pid, 'SIGINT');
        else setImmediate(interruptOnce);
      };
      interruptOnce();
      await tpws(${JSON.stringify(args)}, thisProcess());
      process.exit();
    `;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: folder.path,
      env: { ...process.env, DATABASE_URL: `sqlite:${database}` },
    });
    const [, signal] = await once(child, 'close');
    expect(signal).to.equal('SIGINT');
    expect(readdirSync(folder.path).filter((file) => file.startsWith('new.db'))).to.deep.equal([]);
  }

  it('a backup', () => interrupt(['backup', 'new.db'], 'new.db', 'hospital.db'));

  it('a restore', () => interrupt(['restore', 'backup.db'], 'new.db', 'new.db'));
});
