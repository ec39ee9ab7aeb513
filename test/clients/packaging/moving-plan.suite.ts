import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { startPrivatePostgres } from '../../support/database/private-postgres.ts';
import { startOldService } from '../../support/http/old-service.ts';
import { perSuite } from '../../support/prepared.ts';
import { freePort } from '../../support/process/free-port.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { ownContract } from '../../wire/contract/own-wsdl.ts';
import { locationFor } from './below-path.ts';
import { startNginx } from './start-nginx.ts';

const ROOT = new URL('../../../', import.meta.url);
/** What a fresh clone has after `npm ci`, as far as the plan uses it. */
const CLONE = ['node_modules', 'package.json', 'src'];

/** Every operation over each of the four transports. */
const CALLS = 4 * ownContract.operations.length;

/** The end of an operator's rehearsal, which runs until it is stopped: a call, and Ctrl-C. */
const rehearsed = (command: string, port: number): string => `${command.replace(/^npx tpws/, 'node src/tpws.js')} &
curl -s --retry 20 --retry-connrefused --retry-delay 1 'http://localhost:${port}/TPWebServices.asmx/GetDoctor?centerid=1'
kill -INT $!
wait $!`;

describe('The plan for moving from the old service', () => {
  const postgres = perSuite(() => startPrivatePostgres());

  for (const database of ['SQLite', 'PostgreSQL']) {
    it(`works as written on ${database}, in one shell of a fresh clone, behind nginx under a path`, async () => {
      const target = database === 'PostgreSQL' ? new URL(await postgres.createDatabase('moved')) : undefined;
      const folder = temporaryFolder();
      for (const name of CLONE) symlinkSync(fileURLToPath(new URL(name, ROOT)), join(folder.path, name));
      const old = await startOldService();
      const [trialPort, port, rehearsal, front] = [
        await freePort(),
        await freePort(),
        await freePort(),
        await freePort(),
      ];
      const nginx = await startNginx(folder.path, front, [port, port], { edit: locationFor });
      writeFileSync(join(folder.path, 'authority.pem'), nginx.certificate);
      const address = `https://localhost:${front}/His`;

      const guide = readFileSync(new URL('docs/callers/moving.md', ROOT), 'utf8');
      const commands = [...guide.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block).join('');
      const script = commands
        .replace(/^npm ci\n/, '')
        .replaceAll('8081', `${trialPort}`)
        .replace('0.0.0.0:8080', `127.0.0.1:${rehearsal}`)
        .replaceAll(':8080', `:${port}`)
        .replace('http://10.0.0.5/TPWebServices.asmx', old.url)
        .replace(/^npx tpws rehearse .*$/m, (command) => rehearsed(command, rehearsal))
        .replace('https://his.example.org', address)
        .replace('sqlite:./data/hospital.db', (file) => target?.href ?? file);
      const run = promisify(execFile)('bash', ['-eo', 'pipefail', '-c', script], {
        cwd: folder.path,
        env: {
          // The operator's own shell knows neither this Node nor its programs.
          PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
          HOME: folder.path,
          PORT: `${port}`,
          CURL_CA_BUNDLE: join(folder.path, 'authority.pem'),
        },
      });
      const { stdout } = await run.finally(async () => {
        await nginx.stop();
        await old.close();
        folder.remove();
      });
      let rest = stdout;
      for (const shown of [
        'centers: 1 added',
        'Nothing changes.',
        `${CALLS} of ${CALLS} calls were answered as expected.`,
        '<ResultCode>0</ResultCode>',
        'appointments: 1 added',
        'The old service answers 200',
        'would have answered 1 normally and refused 0',
        'appointments: 1 added',
        'is complete and intact.',
        '<StatusText>Booked</StatusText>',
        ...Array<string>(4).fill(`location="${address}/TPWebServices.asmx"`),
        'ready',
        'No messages.',
        'appointments.csv: 0 rows',
      ]) {
        expect(rest).to.include(shown);
        rest = rest.slice(rest.indexOf(shown) + shown.length);
      }
    });
  }
});
