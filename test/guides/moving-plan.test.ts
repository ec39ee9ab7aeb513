import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { ownContract } from '../contract/own-wsdl.ts';
import { freePort } from '../support/process/free-port.ts';
import { temporaryFolder } from '../support/process/temporary-folder.ts';

const ROOT = new URL('../../', import.meta.url);
/** What a fresh clone has after `npm ci`, as far as the plan uses it. */
const CLONE = ['node_modules', 'src'];
const NPM_CI = 'npm ci\n';

/** Every operation over each of the four transports. */
const CALLS = 4 * ownContract.operations.length;

describe('The plan for moving from the old service', () => {
  it('works as written, in one shell of a fresh clone', async function () {
    this.timeout(120_000);
    const guide = readFileSync(new URL('docs/moving.md', ROOT), 'utf8');
    const plan = guide.slice(guide.indexOf('\n## The plan\n'), guide.indexOf('\n## On Windows Server\n'));
    const commands = [...plan.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block).join('');
    expect(commands.startsWith(NPM_CI)).to.equal(true);
    const [trialPort, port] = [await freePort(), await freePort()];
    const script = commands.slice(NPM_CI.length).replaceAll('8081', `${trialPort}`).replaceAll(':8080', `:${port}`);
    const folder = temporaryFolder();
    for (const name of CLONE) symlinkSync(fileURLToPath(new URL(name, ROOT)), join(folder.path, name));
    // The operator's own shell knows neither this Node nor its programs.
    const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
    const run = promisify(execFile)('bash', ['-eo', 'pipefail', '-c', script], {
      cwd: folder.path,
      env: { PATH, HOME: folder.path, PORT: `${port}` },
    });
    const { stdout } = await run.finally(folder.remove);
    let rest = stdout;
    for (const shown of [
      'centers: 1 added',
      'Nothing changes.',
      `${CALLS} of ${CALLS} calls were answered as expected.`,
      '<ResultCode>0</ResultCode>',
      'appointments: 1 added',
      'is complete and intact.',
      '<StatusText>Booked</StatusText>',
      'ready',
      'No messages.',
      'appointments.csv: 0 rows',
    ]) {
      expect(rest).to.include(shown);
      rest = rest.slice(rest.indexOf(shown) + shown.length);
    }
  });
});
