import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { freePort } from '../../support/process/free-port.ts';
import { skipOnWindows } from '../../support/process/on-windows.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

const MAIN = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));

describe('A log in a full pipe that nobody reads', function () {
  // A start, on a machine that may be busy.
  this.timeout(60_000);

  it('does not keep the service from serving or ending', async function () {
    skipOnWindows(this, 'it has no named pipes in the file system');
    const folder = temporaryFolder();
    const name = join(folder.path, 'pipe');
    execFileSync('mkfifo', [name]);
    const pipe = openSync(name, 'r+');
    const filling = openSync(name, constants.O_WRONLY | constants.O_NONBLOCK);
    expect(() => {
      for (;;) writeSync(filling, '-'.repeat(4096));
    }).to.throw('EAGAIN');
    const port = await freePort();
    const env = { PATH: process.env.PATH, PORT: String(port), DEMO_DATA: 'true', LOG_LEVEL: 'debug' };
    const service = spawn(process.execPath, [MAIN], { cwd: folder.path, env, stdio: ['ignore', pipe, 'inherit'] });
    const kill = () => service.kill('SIGKILL');
    process.once('exit', kill);
    try {
      const ended = once(service, 'exit');
      const url = `http://127.0.0.1:${port}/TPWebServices.asmx/GetDoctor?centerid=1`;
      const call = async () => (await fetch(url)).status;
      while (service.exitCode === null && (await call().catch(() => 0)) !== 200);
      expect(await call()).to.equal(200);
      service.kill('SIGTERM');
      expect(await ended).to.deep.equal([0, null]);
    } finally {
      kill();
      process.off('exit', kill);
      for (const descriptor of [pipe, filling]) closeSync(descriptor);
      folder.remove();
    }
  });
});
