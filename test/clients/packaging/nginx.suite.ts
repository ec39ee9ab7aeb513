import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { request as requestPlain } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { expect } from 'chai';
import { BOOKING_PARAMETERS } from '../../support/http/booking-parameters.ts';
import { perSuite } from '../../support/prepared.ts';
import { freePort } from '../../support/process/free-port.ts';
import { startReady } from '../../support/process/service-process.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { plainSocket, startNginx } from './start-nginx.ts';

const FINGERPRINT = 'ab'.repeat(32);
const SHOWN = { 'X-Client-Cert-Fingerprint': FINGERPRINT };

describe('The supplied nginx configuration', () => {
  const folder = perSuite(temporaryFolder);
  let port: number;

  const service = perSuite(() => {
    const clients = [
      { name: 'laboratory', certificateFingerprint: FINGERPRINT },
      { name: 'desk', networks: ['127.0.0.1'], certificateFingerprint: 'cd'.repeat(32) },
    ];
    writeFileSync(join(folder.path, 'clients.json'), JSON.stringify({ clients }), { mode: 0o600 });
    return startReady(folder.path, {
      CLIENTS_FILE: 'clients.json',
      TRUSTED_PROXIES: '127.0.0.1/32',
      PROXY_CLIENT_CERTIFICATES: 'true',
    });
  });
  const nginx = perSuite(async () => {
    port = await freePort();
    return startNginx(folder.path, port, [service.port, service.port]);
  });
  const at = (path: string) => ({ host: 'localhost', port, path, ca: nginx.certificate, agent: false });

  const get = (path: string, headers: Readonly<Record<string, string>>): Promise<number> =>
    new Promise((resolve, reject) => {
      request({ ...at(path), headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      })
        .on('error', reject)
        .end();
    });

  const doctors = '/TPWebServices.asmx/GetDoctor?centerid=1';

  it('leads from port 80 to TLS, without the parameters of the GET form, and takes no call there', async () => {
    const answer = async (method: string, path: string) => {
      const asked = requestPlain({
        socketPath: plainSocket(folder.path),
        method,
        path,
        headers: { Host: 'localhost' },
      });
      const [{ statusCode, headers }] = await once(asked.end(), 'response');
      return [statusCode, headers.location];
    };
    expect(await answer('GET', doctors)).to.deep.equal([301, 'https://localhost/TPWebServices.asmx/GetDoctor']);
    expect(await answer('POST', '/TPWebServices.asmx')).to.deep.equal([403, undefined]);
  });

  it('says when to send a call again that no replica answers', async () => {
    const alone = temporaryFolder();
    const elsewhere = await freePort();
    const unused = await freePort();
    const proxy = await startNginx(alone.path, elsewhere, [unused, unused]);
    for (const method of ['GET', 'POST']) {
      const asked = request({ ...at(doctors), port: elsewhere, method, ca: proxy.certificate });
      const [response] = await once(asked.end(), 'response');
      expect([response.statusCode, response.headers['retry-after']]).to.deep.equal([502, '5']);
      expect(response.headers['content-type']).to.equal('text/plain');
      expect((await response.toArray()).join('')).to.match(/^The service does not answer .*\n$/);
    }
    await proxy.stop();
    alone.remove();
  });

  it("clears a caller's headers about a client certificate", async () => {
    expect((await fetch(`http://127.0.0.1:${service.port}${doctors}`, { headers: SHOWN })).status).to.equal(200);
    expect(await get(doctors, SHOWN)).to.equal(401);
    expect(await get(doctors, { 'X-Client-Cert': 'canary' })).to.equal(401);
  });

  it('logs no secret of a status callback', async () => {
    expect(await get('/sms/status/canary-of-the-gateway?id=1', {})).to.equal(404);
    expect(await get('/SMS//status/canary-of-the-gateway', {})).to.equal(404);
    expect(await get('/hospital/sms/st%61tus/canary-of-the-gateway', {})).to.equal(404);
    const logs = await nginx.logs(/(?:GET|POST) \S+ HTTP\/1\.1 404/, 3);
    expect(logs).to.match(/GET \/sms\/status\/- HTTP\/1\.1 404/);
    expect(logs).not.to.match(/canary-of-the-gateway/);
  });

  it('writes neither bodies nor answers to temporary files, however large and slow they are', async () => {
    const temporary = ['client_body', 'proxy'].map((name) => join(folder.path, 'temp', name));
    const changed = () => temporary.map((path) => statSync(path).mtimeMs);
    const before = changed();
    const body = `Name=${'Canary'.repeat(10_900)}`;
    for (const headers of [{ 'Content-Length': body.length }, { 'Transfer-Encoding': 'chunked' }]) {
      const sending = request({ ...at('/TPWebServices.asmx/GetDoctor'), method: 'POST', headers });
      const answered = once(sending, 'response');
      for (const half of [body.slice(0, 30_000), body.slice(30_000)]) {
        sending.write(half);
        await new Promise((resume) => setTimeout(resume, 50));
      }
      sending.end();
      const [response] = await answered;
      response.resume();
      expect(response.statusCode).to.equal(401);
    }
    // The answer is larger than nginx's buffers, and nobody reads it for a while.
    const reading = request(at('/TPWebServices.asmx'));
    const [response] = await once(reading.end(), 'response');
    await new Promise((resume) => setTimeout(resume, 500));
    response.resume();
    await once(response, 'end');
    expect(changed()).to.deep.equal(before);
  });

  it('logs each request without its query string, whether the service answers or is down', async () => {
    const parameters = Object.entries({ ...BOOKING_PARAMETERS, Name: 'Canary Bird' });
    const query = new URLSearchParams(parameters.map(([name, value]) => [name, String(value)]));
    const booking = `/TPWebServices.asmx/Fetch_Details?${query}`;
    const headers = { Referer: `https://localhost${booking}` };
    expect(await get(booking, headers)).to.equal(401);
    await service.stop();
    expect(await get(booking, headers)).to.equal(502);
    const logs = await nginx.logs(/GET \/TPWebServices\.asmx\/Fetch_Details HTTP\/1\.1 (?:401|502)/, 2);
    expect(logs).not.to.match(/Canary|app_date/);
  });
});
