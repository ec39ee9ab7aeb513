import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { attempt, onFailedAttempt } from '../../../src/vocabulary/attempt.ts';
import { root } from '../../house/source-files.ts';
import { temporaryDatabase } from '../../support/database/temporary-database.ts';
import { perTest } from '../../support/prepared.ts';
import { skipOnWindows } from '../../support/process/on-windows.ts';
import { startReady } from '../../support/process/service-process.ts';

const file = (path: string) => fileURLToPath(new URL(path, root));

/** Makes a process run a script before its program. */
const running = (script: string) => ['--import', `data:text/javascript,${encodeURIComponent(script)}`] as const;

const FAIL = "const fail = (code) => { throw Object.assign(new Error(code + ': not here'), { code }); };";

describe('What is nice but not needed', () => {
  const database = perTest(() => temporaryDatabase({ isNew: true }));

  const tpws = (script: string, ...args: readonly string[]) =>
    spawnSync(process.execPath, [...running(script), file('src/tpws.js'), ...args], {
      encoding: 'utf8',
      env: { ...process.env, DATABASE_URL: `sqlite:${database.file}` },
    });

  it('is done, and its result returned', async () => {
    expect(attempt('add', () => 1 + 1)).to.equal(2);
    expect(await attempt('add later', async () => 1 + 1)).to.equal(2);
  });

  it('is said once if it fails, at once or later, and done without', async () => {
    const said: string[] = [];
    onFailedAttempt((what, error) => said.push(`${what}: ${(error as Error).message}`));
    const fail = () => {
      throw new Error('no');
    };
    expect([attempt('this', fail), attempt('this', fail)]).to.deep.equal([undefined, undefined]);
    expect(await attempt('that', async () => fail())).to.equal(undefined);
    expect(said).to.deep.equal(['this: no', 'that: no']);
  });

  it('keeps no service from starting: it logs that it cannot change the mode of its database', async function () {
    skipOnWindows(this, 'it has no file modes');
    await (await database.open()).close();
    chmodSync(database.file, 0o644);
    const script = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module'; ${FAIL}
      fs.chmodSync = () => fail('EPERM'); syncBuiltinESMExports();`;
    const command = [process.execPath, ...running(script), file('src/main.ts')] as const;
    const service = await startReady(database.folder, { DATABASE_URL: `sqlite:${database.file}` }, command);
    const reasons = service.logLines().flatMap(({ msg, reason }) => (msg === 'not possible' ? String(reason) : []));
    expect(reasons).to.deep.equal([`keep others from reading ${database.file}`]);
    expect(await service.stop()).to.equal(0);
  });

  it('fails no command that is complete: a backup to a file system that cannot put a name on the disk is recorded', async function () {
    skipOnWindows(this, 'it cannot do this at all');
    await (await database.open()).close();
    const script = `import { open } from 'node:fs/promises'; ${FAIL}
      const handle = await open('.'); const prototype = Object.getPrototypeOf(handle); await handle.close();
      const { sync } = prototype;
      prototype.sync = async function () { return (await this.stat()).isDirectory() ? fail('EINVAL') : sync.call(this); };`;
    const target = join(database.folder, 'night.db');
    const { status, stderr } = tpws(script, 'backup', target);
    expect({ status, isThere: existsSync(target) }, stderr).to.deep.equal({ status: 0, isThere: true });
    expect(stderr).to.match(/^Not possible: put the names in .* on the disk; .* \(EINVAL: not here\)$/m);
    const store = await database.open();
    expect(await store.read(({ facts }) => facts.lastStart('last-backup'))).to.be.a('number');
  });

  it('fails no restore: a disk where a file has only one name keeps the database that was there', async () => {
    await (await database.open()).close();
    const target = join(database.folder, 'night.db');
    expect(tpws('', 'backup', target).status).to.equal(0);
    const script = `import fs from 'node:fs/promises'; import { syncBuiltinESMExports } from 'node:module'; ${FAIL}
      fs.link = async () => fail('ENOTSUP'); syncBuiltinESMExports();`;
    const { status, stdout, stderr } = tpws(script, 'restore', target, '--force');
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
    expect(stdout).to.include(`The database that was there is now ${database.file}.before-restore.`);
    expect([database.file, `${database.file}.before-restore`].map(existsSync)).to.deep.equal([true, true]);
    const store = await database.open();
    expect(await store.read(({ facts }) => facts.lastStart('last-backup'))).to.equal(undefined);
  });
});
