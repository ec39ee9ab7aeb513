import { expect } from 'chai';
import { readConfig } from '../../../src/settings/config.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { asAdministrator } from '../../support/database/as-administrator.ts';
import { emptyPostgresDatabase, ON_POSTGRES, type OwnDatabase } from '../../support/database/test-database.ts';
import { freePort } from '../../support/process/free-port.ts';
import { startedServices } from '../../support/process/started-services.ts';
import { type TcpWay, tcpWay } from '../../support/process/tcp-way.ts';

(ON_POSTGRES ? describe : describe.skip)(
  'A service whose database is away when it starts (npm run ci -- postgres)',
  () => {
    const services = startedServices({ DEMO_DATA: 'true', DATABASE_TIMEOUT: '1000' });
    let own: OwnDatabase;
    let way: TcpWay | undefined;
    let port: number;
    /** Leads to the database once `appear` has been called. */
    let url: string;

    beforeEach(async () => {
      own = await emptyPostgresDatabase();
      port = await freePort();
      url = Object.assign(new URL(own.url), { port: String(port) }).href;
    });
    afterEach(async () => {
      way?.close();
      way = undefined;
      await own.remove();
    });

    const appear = async () => {
      way = await tcpWay(Number(new URL(own.url).port), port);
    };

    for (const WORKERS of ['1', '2']) {
      it(`answers 503 meanwhile, and calls once the database is there, with WORKERS=${WORKERS}`, async () => {
        const service = services.start({ DATABASE_URL: url, WORKERS });
        await service.printed('"msg":"listening"');
        expect(service.output()).to.include('TPWebServices waits for its database.').and.not.include('secret');
        const endpoint = /^ {2}Service page {2}(\S+)$/m.exec(service.output())?.[1] ?? '';
        const readiness = () => fetch(new URL('/readyz', endpoint));
        const call = () => fetch(`${endpoint}/GetDoctor?centerid=1`);

        const before = await readiness();
        expect([before.status, await before.text()]).to.deep.equal([503, 'The database cannot be reached yet.']);
        const refused = await call();
        expect(refused.status).to.equal(503);
        expect(Number(refused.headers.get('retry-after'))).to.be.greaterThan(0);

        await appear();
        await service.printed('"msg":"the database is available"', Number(WORKERS));
        expect((await readiness()).status).to.equal(200);
        expect(await (await call()).text()).to.include('Dr. Asha Rao');
        expect(await service.stop()).to.equal(0);
      });
    }

    it('can be stopped while it waits', async () => {
      const service = services.start({ DATABASE_URL: url });
      await service.printed('"msg":"listening"');
      expect(await service.stop()).to.equal(0);
    });

    it('ends if the database turns out to have a newer version', async () => {
      await (await openStore(readConfig({ DATABASE_URL: own.url }).database)).close();
      await asAdministrator(own.url, (client) =>
        client.query("INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-future', '2030')"),
      );
      const service = services.start({ DATABASE_URL: url });
      await service.printed('"msg":"listening"');
      await appear();
      expect(await service.exited()).to.equal(1);
      expect(service.errors()).to.match(/brought up to date by a newer version/);
    });

    const endsAtOnce = async (settings: { readonly username?: string; readonly pathname?: string }) => {
      await appear();
      const wrong = new URL(url);
      Object.assign(wrong, settings);
      const service = services.start({ DATABASE_URL: wrong.href });
      expect(await service.exited()).to.equal(1);
      expect(service.errors())
        .to.match(/^PostgreSQL at \S+ cannot be used \(/)
        .and.not.include('secret');
      expect(service.output()).not.to.include('listening');
    };

    it('ends at once for a user that the server rejects', () => endsAtOnce({ username: 'stranger' }));

    it('ends at once for a database that does not exist', () => endsAtOnce({ pathname: '/elsewhere' }));
  },
);
