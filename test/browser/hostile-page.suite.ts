import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { escapeHtml } from '../../src/transports/pages/html.ts';
import { ownContract } from '../contract/own-wsdl.ts';
import { type RunningService, startService } from '../support/process/start-service.ts';
import { appointmentsOf } from './appointments-of.ts';
import { FOREIGN_HOST, OWN_HOST, openBrowser, openPage } from './open-browser.ts';

const OPERATION = ownContract.operations.find(({ name }) => name === 'Fetch_Details');
const FIELDS = (OPERATION?.parameters ?? []).map(({ name, example }) => [name, example] as const);
const DAY = FIELDS.find(([name]) => name === 'app_date')?.[1] ?? '';
const QUERY = FIELDS.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');

const ENVELOPE = `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><Fetch_Details xmlns="http://tempuri.org/">${FIELDS.map(([name, value]) => `<${name}>${value}</${name}>`).join('')}</Fetch_Details></soap:Body></soap:Envelope>`;

const BOOKING = (endpoint: string): string => `${endpoint}/Fetch_Details?${QUERY}`;
const FORM = (method: 'get' | 'post', endpoint: string): string =>
  `<form id="f" method="${method}" action="${endpoint}/Fetch_Details">${FIELDS.map(([name, value]) => `<input name="${name}" value="${value}">`).join('')}</form><script>document.querySelector('#f').submit()</script>`;
const SCRIPT_TEXT = (text: string): string => JSON.stringify(text).replaceAll('</', '<\\/');

/** Requests that a page of another site can make a browser send. `code` is the service's answer. */
const ATTACKS: readonly { title: string; code: string; body: (endpoint: string) => string }[] = [
  { title: 'an image', code: 'CrossSite', body: (e) => `<img src="${escapeHtml(BOOKING(e))}">` },
  {
    title: 'an image without a referrer',
    code: 'CrossSite',
    body: (e) => `<img referrerpolicy="no-referrer" src="${escapeHtml(BOOKING(e))}">`,
  },
  { title: 'a script', code: 'CrossSite', body: (e) => `<script src="${escapeHtml(BOOKING(e))}"></script>` },
  {
    title: 'a style sheet',
    code: 'CrossSite',
    body: (e) => `<link rel="stylesheet" href="${escapeHtml(BOOKING(e))}">`,
  },
  { title: 'a frame', code: 'CrossSite', body: (e) => `<iframe src="${escapeHtml(BOOKING(e))}"></iframe>` },
  {
    title: 'a video',
    code: 'CrossSite',
    body: (e) => `<video preload="auto" src="${escapeHtml(BOOKING(e))}"></video>`,
  },
  { title: 'a form that submits itself', code: 'CrossSite', body: (e) => FORM('post', e) },
  { title: 'a GET form that submits itself', code: 'CrossSite', body: (e) => FORM('get', e) },
  {
    title: 'a form in a frame without an origin',
    code: 'CrossSite',
    body: (e) => `<iframe sandbox="allow-forms allow-scripts" srcdoc="${escapeHtml(FORM('post', e))}"></iframe>`,
  },
  {
    title: 'a fetch of the POST form',
    code: 'CrossSite',
    body: (e) =>
      `<script>fetch('${e}/Fetch_Details', { method: 'POST', mode: 'no-cors', body: new URLSearchParams('${QUERY}') })</script>`,
  },
  {
    title: 'a fetch of the GET form',
    code: 'CrossSite',
    body: (e) => `<script>fetch('${BOOKING(e)}', { mode: 'no-cors' })</script>`,
  },
  {
    title: 'a fetch that resembles a program’s call as far as a page can',
    code: 'CrossSite',
    body: (e) =>
      `<script>fetch('${BOOKING(e)}', { mode: 'no-cors', credentials: 'omit', referrerPolicy: 'no-referrer', headers: { Accept: 'text/xml', 'Accept-Language': '', 'User-Agent': 'curl/8.0' } })</script>`,
  },
  {
    title: 'a fetch that tries to read the answer',
    code: 'CrossSite',
    body: (e) => `<script>fetch('${BOOKING(e)}').catch(() => {})</script>`,
  },
  {
    title: 'a beacon',
    code: 'CrossSite',
    body: (e) => `<script>navigator.sendBeacon('${e}/Fetch_Details', new URLSearchParams('${QUERY}'))</script>`,
  },
  {
    title: 'a link that is clicked',
    code: 'CrossSite',
    body: (e) => `<script>location = '${BOOKING(e)}'</script>`,
  },
  {
    title: 'a page that redirects itself',
    code: 'CrossSite',
    body: (e) => `<meta http-equiv="refresh" content="0; url=${escapeHtml(BOOKING(e))}">`,
  },
  {
    title: 'a page that redirects itself without a referrer',
    code: 'CrossSite',
    body: (e) =>
      `<meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; url=${escapeHtml(BOOKING(e))}">`,
  },
  {
    title: 'a SOAP envelope as plain text',
    code: 'UnsupportedMediaType',
    body: (e) => `<script>fetch('${e}', { method: 'POST', mode: 'no-cors', body: ${SCRIPT_TEXT(ENVELOPE)} })</script>`,
  },
  {
    title: 'a SOAP envelope from a plain text form',
    code: 'UnsupportedMediaType',
    body: (e) =>
      `<form id="f" method="post" enctype="text/plain" action="${e}"><input name="${escapeHtml(ENVELOPE)}" value=""></form><script>document.querySelector('#f').submit()</script>`,
  },
];

/**
 * Services for which a browser reports a request's origin (Sec-Fetch-Site), and under a name in the hospital's network, for which it does
 * not.
 */
const SERVICES = [
  { where: 'on this machine', host: '127.0.0.1' },
  { where: 'under a name over plain HTTP', host: OWN_HOST },
] as const;

describe('A page of another site', () => {
  let browser: Browser;
  let service: RunningService;
  let site: Server;
  let body = '';
  before(async () => {
    browser = await openBrowser();
    site = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8').end(`<!DOCTYPE html><title>x</title>${body}`);
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    await browser.close();
    site.closeAllConnections();
    await new Promise((resolve) => site.close(resolve));
  });
  beforeEach(async () => {
    service = await startService({ environment: { ALLOWED_HOSTS: `127.0.0.1,${OWN_HOST}` } });
  });
  afterEach(() => service.close());

  const siteUrl = () => `http://${FOREIGN_HOST}:${(site.address() as AddressInfo).port}/`;

  const endpointAt = (host: string) => service.endpoint.replace('127.0.0.1', host);

  for (const { where, host } of SERVICES) {
    for (const attack of ATTACKS) {
      it(`books nothing by ${attack.title} at a service ${where}, which receives the call and refuses it`, async () => {
        body = attack.body(endpointAt(host));
        const { page, close } = await openPage(browser);
        await page.goto(siteUrl(), { waitUntil: 'commit' });
        const refusals = () => service.logLines.filter((line) => line.includes(`"code":"${attack.code}"`));
        await eventually(() => refusals().length > 0);
        expect(refusals()).to.have.length.above(0);
        expect(await appointmentsOf(service, DAY)).to.equal(0);
        await close();
      });
    }

    it(`reads nothing from a service ${where}`, async () => {
      const url = `${endpointAt(host)}/GetDoctor?centerid=1`;
      body = `<iframe src="${url}"></iframe><script>
        const told = [];
        const read = (name, reading) => reading.then((text) => told.push(name + ': ' + text), () => told.push(name + ': stopped'));
        addEventListener('load', () => Promise.all([
          read('fetch', fetch('${url}').then((answer) => answer.text())),
          read('opaque fetch', fetch('${url}', { mode: 'no-cors' }).then(async (answer) => answer.status + (await answer.text()))),
          read('frame', (async () => frames[0].document.documentElement.textContent)()),
        ]).then(() => { document.title = told.sort().join(', '); }));
      </script>`;
      const { page, close } = await openPage(browser);
      await page.goto(siteUrl());
      await page.waitForFunction('document.title.includes("opaque")');
      expect(await page.title()).to.equal('fetch: stopped, frame: stopped, opaque fetch: stopped');
      await close();
    });
  }

  it("reads and books nothing if its own name is rebound to the service's address", async () => {
    const { page, close } = await openPage(browser);
    const rebound = `http://${FOREIGN_HOST}:${service.port}`;
    // The page was loaded before its name was rebound.
    await page.route(`${rebound}/`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!DOCTYPE html><title>x</title>' }),
    );
    await page.goto(`${rebound}/`);
    const told = await page.evaluate(`(async () => {
      const endpoint = '/TPWebServices.asmx';
      const query = ${JSON.stringify(QUERY)};
      const xml = { method: 'POST', headers: { 'Content-Type': 'text/xml' }, body: ${JSON.stringify(ENVELOPE)} };
      const calls = [
        [endpoint + '/GetDoctor?centerid=1'],
        [endpoint + '/GetDoctor?centerid=1', { referrerPolicy: 'no-referrer', headers: { 'Accept-Language': '' } }],
        [endpoint + '/GetDoctor', { method: 'POST', body: new URLSearchParams('centerid=1') }],
        [endpoint + '/Fetch_Details?' + query],
        [endpoint + '/Fetch_Details', { method: 'POST', body: new URLSearchParams(query) }],
        [endpoint, xml],
        [endpoint],
        [endpoint + '?wsdl'],
        ['/openapi.json'],
      ];
      return Promise.all(calls.map(async (call) => {
        const answer = await fetch(...call);
        return answer.status + ((await answer.text()).includes('Rao') ? ' and data' : '');
      }));
    })()`);
    expect(told).to.deep.equal(Array.from({ length: 9 }, () => '421'));
    const metrics = await page.evaluate("fetch('/metrics').then((answer) => answer.status)");
    expect(metrics).to.equal(404);
    expect(await appointmentsOf(service, DAY)).to.equal(0);
    await close();
  });

  it('books nothing by an image from another port of the same host, either', async () => {
    body = `<img src="${service.endpoint}/Fetch_Details?${escapeHtml(QUERY)}">`;
    const { page, close } = await openPage(browser);
    await page.goto(siteUrl().replace(FOREIGN_HOST, '127.0.0.1'), { waitUntil: 'load' });
    const refusals = () => service.logLines.filter((line) => line.includes('"code":"CrossSite"'));
    await eventually(() => refusals().length > 0);
    expect(refusals()).to.have.length(1);
    expect(await appointmentsOf(service, DAY)).to.equal(0);
    await close();
  });

  it('cannot send an envelope as XML: the browser sends a preflight request, which is refused', async () => {
    body = `<script>fetch('${service.endpoint}', { method: 'POST', headers: { 'Content-Type': 'text/xml' }, body: 'x' }).catch(() => { document.title = 'stopped' })</script>`;
    const { page, close } = await openPage(browser);
    await page.goto(siteUrl());
    await page.waitForFunction('document.title === "stopped"');
    expect(service.logLines.filter((line) => line.includes('"POST"'))).to.deep.equal([]);
    expect(await appointmentsOf(service, DAY)).to.equal(0);
    await close();
  });

  it('cannot show a page of the service in a frame', async () => {
    body = `<iframe src="${service.endpoint}?op=Fetch_Details"></iframe>`;
    const { page, complaints, close } = await openPage(browser);
    await page.goto(siteUrl(), { waitUntil: 'load' });
    expect(await page.frames().at(-1)?.locator('form').count()).to.equal(0);
    expect(complaints.join()).to.include('frame-ancestors');
    await close();
  });

  it('reads and books if its origin is listed, and only there', async () => {
    const listed = await startService({ environment: { CORS_ORIGINS: siteUrl().replace(/\/$/, '') } });
    try {
      body = `<script>
        const book = (endpoint) => fetch(endpoint, { method: 'POST', headers: { 'Content-Type': 'text/xml', SOAPAction: '"http://tempuri.org/Fetch_Details"' }, body: ${SCRIPT_TEXT(ENVELOPE)} })
          .then((answer) => answer.text()).then((text) => /<AppointmentID>/.test(text), () => 'stopped');
        Promise.all([book('${listed.endpoint}'), book('${service.endpoint}')]).then((told) => { document.title = told.join(', '); });
      </script>`;
      const { page, close } = await openPage(browser);
      await page.goto(siteUrl());
      await page.waitForFunction('document.title !== "x"');
      expect(await page.title()).to.equal('true, stopped');
      expect(await appointmentsOf(listed, DAY)).to.equal(1);
      expect(await appointmentsOf(service, DAY)).to.equal(0);
      await close();
    } finally {
      await listed.close();
    }
  });

  it('would have booked with the same fields outside a browser', async () => {
    await fetch(`${service.endpoint}/Fetch_Details`, {
      method: 'POST',
      body: new URLSearchParams(FIELDS.map(([name, value]) => [name, value] as [string, string])),
    });
    expect(await appointmentsOf(service, DAY)).to.equal(1);
  });
});

/** Waits for what the browser does by itself, for at most five seconds. */
async function eventually(happened: () => boolean): Promise<void> {
  for (let i = 0; i < 100 && !happened(); i++) await setTimeout(50);
}
