import { expect } from 'chai';
import { requestOver, type TransportRequest } from '../../support/http/four-transports.ts';
import { sendAs } from '../../support/http/send-as.ts';
import { perSuite } from '../../support/prepared.ts';
import { freePort } from '../../support/process/free-port.ts';
import { startReady } from '../../support/process/service-process.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { ownContract } from '../../wire/contract/own-wsdl.ts';
import { locationFor } from './below-path.ts';
import { startNginx } from './start-nginx.ts';

describe('Below a path, behind nginx', () => {
  const folder = perSuite(temporaryFolder);
  let [port, base] = [0, ''];
  const service = perSuite(async () => {
    port = await freePort();
    base = `https://localhost:${port}/his`;
    return startReady(folder.path, { PUBLIC_URL: base, TRUSTED_PROXIES: '127.0.0.1/32' });
  });
  const nginx = perSuite(() => {
    const own = Number(/"port":(\d+)/.exec(service.output())?.[1]);
    return startNginx(folder.path, port, [own, own], { edit: locationFor });
  });

  const send = (request: TransportRequest) => sendAs(request, {}, nginx.certificate);
  const get = (url: string) => send({ url, method: 'GET', headers: {} });
  const endpoint = () => `${base}/TPWebServices.asmx`;

  it('names the address below the path in the WSDL and the discovery document', async () => {
    const { body } = await get(`${endpoint()}?wsdl`);
    const addresses = [...body.matchAll(/<\w+:address location="([^"]*)"/g)].map(([, address]) => address);
    expect(addresses).to.deep.equal(addresses.map(() => endpoint()));
    expect(addresses).to.have.length(4);
    expect((await get(`${endpoint()}?disco`)).body).to.include(`"${endpoint()}?wsdl"`);
  });

  it('links from the service page to every page that it names, and to none elsewhere', async () => {
    const seen = new Set<string>();
    const waiting = [endpoint()];
    for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
      if (seen.has(url)) continue;
      seen.add(url);
      const { status, body, headers } = await get(url);
      expect(status, url).to.equal(200);
      if (!/html/.test(headers['content-type'] ?? '')) continue;
      for (const [, link = ''] of body.matchAll(/(?:href|src)="([^"]*)"/g)) {
        const target = new URL(link.replaceAll('&amp;', '&'), url);
        target.hash = '';
        expect(target.href.startsWith(`${base}/`), `${link} of ${url}`).to.equal(true);
        waiting.push(target.href);
      }
    }
    expect([...seen].filter((url) => url.includes('?op='))).to.have.length(ownContract.operations.length);
    expect(seen).to.include(`${base}/openapi.json`);
  });

  it('has forms that work when sent from the page by a browser', async () => {
    const page = `${endpoint()}?op=GetDoctor`;
    const action = /<form id="call" method="post" action="([^"]*)"/.exec((await get(page)).body)?.[1] ?? '';
    const request = requestOver('httpPost', '', 'GetDoctor', { centerid: 1 });
    const from = { Origin: new URL(base).origin, Referer: page, 'Sec-Fetch-Site': 'same-origin' };
    const { status, body } = await send({
      ...request,
      url: new URL(action, page).href,
      headers: { ...request.headers, ...from },
    });
    expect(status).to.equal(200);
    expect(body).to.include('<DoctorID>101</DoctorID>');
  });

  it('is in OpenAPI, whose paths answer below it', async () => {
    const { servers, paths } = JSON.parse((await get(`${base}/openapi.json`)).body);
    expect(servers).to.deep.equal([{ url: base }]);
    const path = Object.keys(paths).find((name) => name.endsWith('/GetDoctor'));
    expect((await get(`${servers[0].url}${path}?centerid=1`)).status).to.equal(200);
  });

  it('redirects from the path itself to the service page', async () => {
    for (const path of ['', '/']) {
      const { status, headers } = await get(base + path);
      expect([status, headers.location]).to.deep.equal([302, '/his/TPWebServices.asmx']);
    }
  });
});
