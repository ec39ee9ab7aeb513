import { expect } from 'chai';
import { emptyPostgresDatabase, ON_POSTGRES } from '../../../support/database/test-database.ts';
import { perSuite } from '../../../support/prepared.ts';
import { freePort } from '../../../support/process/free-port.ts';
import { startedServices } from '../../../support/process/started-services.ts';

(ON_POSTGRES ? describe : describe.skip)('A service that cannot use its database (npm run ci -- postgres)', () => {
  const services = startedServices({ DEMO_DATA: 'true' });
  const own = perSuite(() => emptyPostgresDatabase());

  const endsWithOneSentence = (what: string, settings: () => Promise<Partial<URL>>) =>
    it(`ends with one sentence, so that its supervisor starts it again: ${what}`, async () => {
      const url = Object.assign(new URL(own.url), await settings());
      const service = services.start({ DATABASE_URL: url.href });
      expect(await service.exited()).to.equal(1);
      expect(service.errors()).to.match(/^PostgreSQL at \S+ cannot be used \([^\n]+\n$/);
      expect(service.errors()).not.to.include('secret');
      expect(service.output()).not.to.include('listening');
    });

  endsWithOneSentence('no server answers', async () => ({ port: String(await freePort()) }));
  endsWithOneSentence('the server rejects the user', async () => ({ username: 'stranger' }));
  endsWithOneSentence('there is no such database', async () => ({ pathname: '/elsewhere' }));
});
