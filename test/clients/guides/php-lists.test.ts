import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { readConfig } from '../../../src/settings/config.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { addCenter, addDoctor } from '../../support/database/hospital.ts';
import { guideSections } from '../../support/guide-sections.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { skipTest } from '../../support/skip-test.ts';
import { startAccessService } from '../interop/access-service.ts';

const run = promisify(execFile);

describe('login.php of the guide php.md', () => {
  it('counts the doctors of centers that have none, one and two', async function () {
    this.timeout(60_000);
    const { path: cwd } = temporaryFolder();
    const { stdout: modules } = await run('php', ['-m']).catch(() => ({ stdout: '' }));
    if (!modules.split('\n').includes('soap')) return skipTest(this, 'php -m lists no soap');
    const { service, environment } = await startAccessService(cwd);
    const store = await openStore(readConfig({ DATABASE_URL: `sqlite:${join(cwd, 'access/access.db')}` }).database);
    for (const [doctors, centerId] of [71, 72, 73].entries()) {
      await addCenter(store, centerId, 'Asia/Kolkata');
      for (let id = 1; id <= doctors; id++) await addDoctor(store, { id, centerId });
    }
    await store.close();
    const [guide] = guideSections('php.md');
    const [, program = ''] = /^cat >login.php <<'END_OF_FILE'\n(.*?)^END_OF_FILE$/ms.exec(guide?.script ?? '') ?? [];
    for (const [doctors, centerId] of [71, 72, 73].entries()) {
      const here = program
        .replace('https://his.example.org', `https://localhost:${service.port}`)
        .replace("'centerid' => 2", `'centerid' => ${centerId}`);
      writeFileSync(join(cwd, 'login.php'), here);
      const parameters = ['-d', `openssl.cafile=${environment.CA}`, 'login.php'];
      const { stdout } = await run('php', parameters, { cwd, env: { ...process.env, ...environment } });
      expect(stdout).to.equal(`Basic ${doctors}\nAPI key ${doctors}\nUsernameToken ${doctors}\n`);
    }
  });
});
