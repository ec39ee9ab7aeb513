import { readdirSync, readFileSync } from 'node:fs';
import { perSuite } from '../../support/prepared.ts';
import { freePort } from '../../support/process/free-port.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { readCases } from '../../wire/cases/read-case.ts';
import { checkAnswer, sendCase } from '../../wire/cases/run-case.ts';
import { locationFor } from './below-path.ts';
import { startIis } from './start-iis.ts';
import { startNginx } from './start-nginx.ts';

const folder = new URL('../../wire/cases/old-service/', import.meta.url);
const cases = readdirSync(folder)
  .flatMap((name) => readCases(readFileSync(new URL(name, folder), 'utf8')))
  .filter(({ title }) => title.includes(' is understood '));

for (const [proxy, path] of [
  ['nginx', ''],
  ['nginx', '/his'],
  ['nginx', '/HIS'],
  ["IIS's rule", ''],
  ["IIS's rule", '/HIS'],
] as const) {
  describe(`What the old service accepted, through ${proxy} at ${path}/`, () => {
    const home = perSuite(temporaryFolder);
    const ports = perSuite(async () => ({ proxy: await freePort(), service: await freePort() }));
    perSuite(() => {
      const edit = (locations: string) => (path === '' ? locations : locationFor(locations));
      const { proxy: port, service } = ports;
      if (proxy !== 'nginx') return startIis(port, service, path);
      return startNginx(home.path, port, [service, service], { deployment: 'compose', edit });
    });
    for (const { title, environment, exchanges } of cases) {
      it(title, async () => {
        const settings = { ...environment, PORT: String(ports.service) };
        const under = path === '' ? settings : { ...settings, PUBLIC_URL: 'http://localhost:8080/his' };
        const answers = await sendCase({ environment: under, exchanges }, { port: ports.proxy, path });
        for (const answered of answers) checkAnswer(answered);
      });
    }
  });
}
