import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { perTest } from '../support/prepared.ts';
import { temporaryFolder } from '../support/process/temporary-folder.ts';
import { root } from './source-files.ts';

const unit = readFileSync(new URL('deploy/systemd/tpwebservices-backup.service', root), 'utf8');
const [, command = ''] = /^ExecStart=\/bin\/sh -c '(.*?)'$/ms.exec(unit.replace(/\\\n/g, ' ')) ?? [];

/** What the unit runs, as systemd reads it, with a program in place of `tpws backup`. */
const script = (backup: string) =>
  command
    .replace('/usr/bin/node /opt/tpwebservices/src/tpws.js backup', backup)
    .replace(/\$\$|%%/g, ([first]) => first as string);

describe('The nightly backup of deploy/systemd', () => {
  const folder = perTest(temporaryFolder);
  const backups = () => readdirSync(join(folder.path, 'backups')).sort();
  const nights = (year: number, count: number) =>
    Array.from({ length: count }, (_, n) => `${year}-11-${String(n + 1).padStart(2, '0')}-0230`);

  /** Runs the unit at a time that the machine’s clock shows, beside files of these names, which are all old by that clock. */
  function run(clock: string, names: readonly string[], backup = 'touch') {
    mkdirSync(join(folder.path, 'backups'));
    for (const name of names) writeFileSync(join(folder.path, 'backups', name), '');
    const date = join(folder.path, 'date');
    writeFileSync(date, `#!/bin/sh\necho ${clock}\n`);
    chmodSync(date, 0o700);
    const env = { PATH: `${folder.path}:${process.env.PATH}`, STATE_DIRECTORY: folder.path };
    return spawnSync('/bin/sh', ['-c', script(backup)], { env, encoding: 'utf8' });
  }

  it('keeps the last 14, and what others put there', () => {
    const names = nights(2026, 20);
    expect(run('2026-11-21-0230', [...names, 'before-the-upgrade'])).to.include({ status: 0, stderr: '' });
    expect(backups()).to.deep.equal([...names.slice(7), '2026-11-21-0230', 'before-the-upgrade']);
  });

  for (const clock of ['1970-01-01-0230', '2055-01-01-0230']) {
    it(`deletes one, and not the new one, if the clock is wrong: ${clock}`, () => {
      const names = nights(2026, 14);
      expect(run(clock, names)).to.include({ status: 0, stderr: '' });
      expect(backups()).to.deep.equal([...names.slice(1), clock].sort());
    });
  }

  it('deletes nothing if the backup fails', () => {
    const names = nights(2026, 20);
    expect(run('2026-11-21-0230', names, 'false').status).to.equal(1);
    expect(backups()).to.deep.equal(names);
  });
});
