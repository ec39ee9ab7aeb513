import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { escapeHtml } from '../../src/transports/pages/html.ts';
import { ownContract } from '../contract/own-wsdl.ts';
import { type RunningService, startService } from '../support/start-service.ts';
import { appointmentsOf } from './appointments-of.ts';
import { FOREIGN_HOST, openBrowser, openPage } from './open-browser.ts';

const OPERATION = ownContract.operations.find(({ name }) => name === 'Fetch_Details');
const FIELDS = (OPERATION?.parameters ?? []).map(({ name, example }) => [name, example] as const);
const DAY = FIELDS.find(([name]) => name === 'app_date')?.[1] ?? '';
const QUERY = FIELDS.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');

const ENVELOPE = `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><Fetch_Details xmlns="http://tempuri.org/">${FIELDS.map(([name, value]) => `<${name}>${value}</${name}>`).join('')}</Fetch_Details></soap:Body></soap:Envelope>`;

/** What a page of another site can have a browser send. `code` is what the service says; none where no operation is reached. */
const ATTACKS: readonly { title: string; code: string; body: (endpoint: string) => string }[] = [
  { title: 'an image', code: 'CrossSite', body: (e) => `<img src="${e}/Fetch_Details?${escapeHtml(QUERY)}">` },
  {
    title: 'a form that sends itself',
    code: 'CrossSite',
    body: (e) =>
      `<form id="f" method="post" action="${e}/Fetch_Details">${FIELDS.map(([name, value]) => `<input name="${name}" value="${value}">`).join('')}</form><script>document.querySelector('#f').submit()</script>`,
  },
  {
    title: 'a form in a frame without origin',
    code: 'CrossSite',
    body: (e) =>
      `<iframe sandbox="allow-forms allow-scripts" srcdoc="${escapeHtml(`<form id="f" method="post" action="${e}/Fetch_Details">${FIELDS.map(([name, value]) => `<input name="${name}" value="${value}">`).join('')}</form><script>document.querySelector('#f').submit()</script>`)}"></iframe>`,
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
    body: (e) => `<script>fetch('${e}/Fetch_Details?${QUERY}', { mode: 'no-cors' })</script>`,
  },
  {
    title: 'a link that is followed',
    code: 'CrossSite',
    body: (e) => `<script>location = '${e}/Fetch_Details?${QUERY}'</script>`,
  },
  {
    title: 'an envelope as plain text',
    code: 'UnsupportedMediaType',
    body: (e) =>
      `<script>fetch('${e}', { method: 'POST', mode: 'no-cors', body: ${JSON.stringify(ENVELOPE).replaceAll('</', '<\\/')} })</script>`,
  },
];

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
    service = await startService();
  });
  afterEach(() => service.close());

  const siteUrl = () => `http://${FOREIGN_HOST}:${(site.address() as AddressInfo).port}/`;

  for (const attack of ATTACKS) {
    it(`books nothing by ${attack.title}; the service gets the call and refuses it`, async () => {
      body = attack.body(service.endpoint);
      const { page, close } = await openPage(browser);
      await page.goto(siteUrl(), { waitUntil: 'commit' });
      const refusals = () => service.logLines.filter((line) => line.includes(`"code":"${attack.code}"`));
      await eventually(() => refusals().length > 0);
      expect(refusals()).to.have.length(1);
      expect(await appointmentsOf(service, DAY)).to.equal(0);
      await close();
    });
  }

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

  it('cannot send an envelope as XML: the browser asks first and is not allowed', async () => {
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

  it('would have booked with the same fields from nowhere in particular', async () => {
    await fetch(`${service.endpoint}/Fetch_Details`, {
      method: 'POST',
      body: new URLSearchParams(FIELDS.map(([name, value]) => [name, value] as [string, string])),
    });
    expect(await appointmentsOf(service, DAY)).to.equal(1);
  });
});

/** Waits for what the browser does by itself, at most five seconds. */
async function eventually(happened: () => boolean): Promise<void> {
  for (let i = 0; i < 100 && !happened(); i++) await setTimeout(50);
}
