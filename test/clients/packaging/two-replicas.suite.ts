import { get } from 'node:https';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { ServiceUnderTest } from '../../databases/durability/service-under-test.ts';
import { startPrivatePostgres } from '../../support/database/private-postgres.ts';
import { perSuite } from '../../support/prepared.ts';
import { freePort } from '../../support/process/free-port.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { type RunningNginx, startNginx } from './start-nginx.ts';

describe('Two replicas on PostgreSQL behind nginx', () => {
  const folder = temporaryFolder();
  const replicas: ServiceUnderTest[] = [];
  after(async () => {
    await nginx?.stop();
    for (const replica of replicas) await replica.kill();
    folder.remove();
  });
  const postgres = perSuite(() => startPrivatePostgres());
  let nginx: RunningNginx;
  let port: number;
  let databaseUrl: string;

  before(async () => {
    databaseUrl = await postgres.createDatabase('replicas');
    port = await freePort();
    const settings = {
      DATABASE_URL: databaseUrl,
      PUBLIC_URL: `https://localhost:${port}`,
      TRUSTED_PROXIES: '127.0.0.1/32',
      SMS_GATEWAY: 'off',
      RATE_LIMIT: '0',
    };
    for (let n = 0; n < 2; n++) replicas.push(new ServiceUnderTest(folder.path, await freePort(), settings));
    for (const replica of replicas) await replica.start();
    nginx = await startNginx(
      folder.path,
      port,
      replicas.map((replica) => replica.port),
    );
  });

  const read = (path: string): Promise<{ status: number; text: string }> =>
    new Promise((resolve, reject) => {
      get({ host: 'localhost', port, path, ca: nginx.certificate, agent: false }, (response) => {
        text(response).then((body) => resolve({ status: response.statusCode ?? 0, text: body }), reject);
      }).on('error', reject);
    });

  it("show their clients nginx's address", async () => {
    const { status, text: wsdl } = await read('/TPWebServices.asmx?wsdl');
    expect(status).to.equal(200);
    const addresses = [...wsdl.matchAll(/address location="([^"]*)"/g)].map(([, address]) => address);
    expect(new Set(addresses)).to.deep.equal(new Set([`https://localhost:${port}/TPWebServices.asmx`]));
  });

  it('do not show their metrics to clients', async () => {
    expect((await read('/metrics')).status).to.equal(404);
    expect((await read('/healthz')).status).to.equal(200);
  });
});
