import { expect } from 'chai';
import { listenOperating } from '../../../src/doctor/operating-pages.ts';
import { rawExchange } from '../../support/http/raw-exchange.ts';
import { perTest } from '../../support/prepared.ts';
import { startService } from '../../support/process/start-service.ts';

describe("The operator's pages", () => {
  const service = perTest(() => startService());

  const get = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(service.baseUrl + path, init);
    return { status: response.status, text: await response.text(), headers: response.headers };
  };

  it('report that the process is alive, whatever the database does', async () => {
    await service.store.close();
    expect(await get('/healthz')).to.include({ status: 200, text: 'ok' });
    expect((await get('/healthz', { method: 'HEAD' })).status).to.equal(200);
  });

  it('report that calls can be answered', async () => {
    const answer = await get('/readyz');
    expect(answer).to.include({ status: 200, text: 'ready' });
    expect(answer.headers.get('cache-control')).to.equal('no-store');
  });

  it('report that calls cannot be answered while the database is away, and the log says so once', async () => {
    await service.store.close();
    const answer = await get('/readyz');
    expect(answer).to.include({ status: 503, text: 'The database cannot be read.' });
    expect(answer.headers.get('retry-after')).to.equal('5');
    await get('/readyz');
    expect(service.logLines.filter((line) => /"not ready"/.test(line))).to.have.length(1);
  });

  it('report that calls cannot be answered while the service is stopping', async () => {
    service.readiness.stop();
    expect(await get('/readyz')).to.include({ status: 503, text: 'The service is stopping.' });
  });

  it('accept only GET and HEAD', async () => {
    const answer = await get('/readyz', { method: 'POST', body: 'x' });
    expect(answer.status).to.equal(405);
    expect(answer.headers.get('allow')).to.equal('GET, HEAD');
  });

  it("show no metrics on the clients' port", async () => {
    expect((await get('/metrics')).status).to.equal(404);
    expect((await get('/status')).status).to.equal(404);
  });

  it('are all on a separate port', async () => {
    const names = ['metrics.example.org'];
    const separate = await startService({ environment: { OPERATIONS_PORT: '0' } });
    const server = await listenOperating(separate.operatingPages, { host: '127.0.0.1', port: 0 }, names);
    try {
      const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${server.port}${path}`)).status;
      expect(await statusOf('/healthz')).to.equal(200);
      expect(await statusOf('/readyz?verbose')).to.equal(200);
      const metrics = await fetch(`http://127.0.0.1:${server.port}/metrics`);
      expect(metrics.headers.get('content-type')).to.equal('text/plain; version=0.0.4; charset=utf-8');
      expect(await metrics.text()).to.match(/^tpws_calls_total\{/m);
      expect(await statusOf('/TPWebServices.asmx')).to.equal(404);
      const asked = (host: string) => rawExchange(server.port, `GET /metrics HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      for (const host of ['127.0.0.1:9090', '[::1]', 'localhost', 'replica-1:9090', 'metrics.example.org']) {
        expect((await asked(host)).status, host).to.equal(200);
      }
      // HAProxy's health check has no Host.
      expect((await rawExchange(server.port, 'GET /readyz HTTP/1.0\r\n\r\n')).status).to.equal(200);
      const refused = await asked('evil.example:9090');
      expect(refused.status).to.equal(421);
      expect(refused.headers).to.include({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
      expect(refused.body.toString()).not.to.contain('evil');
      const nothing = await rawExchange(server.port, 'GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n');
      expect(nothing.headers).to.include({ 'x-content-type-options': 'nosniff' });
    } finally {
      await server.close();
      await separate.close();
    }
  });
});
