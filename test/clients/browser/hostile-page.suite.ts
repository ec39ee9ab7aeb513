import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import type { Page } from 'puppeteer-core';
import { escapeHtml } from '../../../src/transports/pages/html.ts';
import { type RunningService, startService } from '../../support/process/start-service.ts';
import { type TcpWay, tcpWay } from '../../support/process/tcp-way.ts';
import { ownContract } from '../../wire/contract/own-wsdl.ts';
import { appointmentsOf } from './appointments-of.ts';
import { describeInEachBrowser, FOREIGN_HOST, OWN_HOST, type WatchedPage } from './open-browser.ts';

const OPERATION = ownContract.operations.find(({ name }) => name === 'Fetch_Details');
const FIELDS = (OPERATION?.parameters ?? []).map(({ name, example }) => [name, example] as const);
const DAY = FIELDS.find(([name]) => name === 'app_date')?.[1] ?? '';
const QUERY = FIELDS.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');

const ENVELOPE = `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><Fetch_Details xmlns="http://tempuri.org/">${FIELDS.map(([name, value]) => `<${name}>${value}</${name}>`).join('')}</Fetch_Details></soap:Body></soap:Envelope>`;

const BOOKING = (endpoint: string): string => `${endpoint}/Fetch_Details?${QUERY}`;
const FORM = (method: 'get' | 'post', endpoint: string): string =>
  `<form id="f" method="${method}" action="${endpoint}/Fetch_Details">${FIELDS.map(([name, value]) => `<input name="${name}" value="${value}">`).join('')}</form><script>document.querySelector('#f').submit()</script>`;
/** A page that never says where its requests come from. */
const SILENT = '<meta name="referrer" content="no-referrer">';
/** Without an icon of its own, a browser would ask for `/favicon.ico`. */
const pageWith = (body: string): string => `<!DOCTYPE html><title>x</title><link rel="icon" href="data:,">${body}`;
const SCRIPT_TEXT = (text: string): string => JSON.stringify(text).replaceAll('</', '<\\/');

/**
 * Requests that a page of another site can make a browser send, besides those of MODES. `code` is the service's answer; `site` redirects to what
 * follows its question mark.
 */
const ATTACKS: readonly { title: string; code: string; body: (endpoint: string, site: string) => string }[] = [
  { title: 'an image', code: 'CrossSite', body: (e) => `<img src="${escapeHtml(BOOKING(e))}">` },
  {
    title: 'an image without a referrer',
    code: 'CrossSite',
    body: (e) => `<img referrerpolicy="no-referrer" src="${escapeHtml(BOOKING(e))}">`,
  },
  {
    title: 'an image that is redirected',
    code: 'CrossSite',
    body: (e, site) => `<img referrerpolicy="no-referrer" src="${site}?${escapeHtml(BOOKING(e))}">`,
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
  { title: 'an object', code: 'CrossSite', body: (e) => `<object data="${escapeHtml(BOOKING(e))}"></object>` },
  {
    title: 'a prefetch without a referrer',
    code: 'CrossSite',
    body: (e) => `<link rel="prefetch" referrerpolicy="no-referrer" href="${escapeHtml(BOOKING(e))}">`,
  },
  { title: 'an event source', code: 'CrossSite', body: (e) => `<script>new EventSource('${BOOKING(e)}')</script>` },
  {
    title: 'a web socket',
    code: 'CrossSite',
    body: (e) => `<script>new WebSocket('${BOOKING(e).replace('http', 'ws')}')</script>`,
  },
  { title: 'a form that submits itself', code: 'CrossSite', body: (e) => FORM('post', e) },
  { title: 'a GET form that submits itself', code: 'CrossSite', body: (e) => FORM('get', e) },
  { title: 'a form that submits itself without a referrer', code: 'CrossSite', body: (e) => SILENT + FORM('post', e) },
  {
    title: 'a GET form that submits itself without a referrer',
    code: 'CrossSite',
    body: (e) => SILENT + FORM('get', e),
  },
  {
    title: 'a form that is redirected',
    code: 'CrossSite',
    body: (e, site) => SILENT + FORM('post', `${site}?${e}`),
  },
  {
    title: 'a form in a frame without an origin',
    code: 'CrossSite',
    body: (e) => `<iframe sandbox="allow-forms allow-scripts" srcdoc="${escapeHtml(FORM('post', e))}"></iframe>`,
  },
  {
    title: 'a fetch of a form without a type',
    code: 'CrossSite',
    body: (e) =>
      `<script>fetch('${e}/Fetch_Details', { method: 'POST', mode: 'no-cors', referrerPolicy: 'no-referrer', body: new Blob(['${QUERY}']) })</script>`,
  },
  {
    title: 'a beacon',
    code: 'CrossSite',
    body: (e) => `<script>navigator.sendBeacon('${e}/Fetch_Details', new URLSearchParams('${QUERY}'))</script>`,
  },
  {
    title: 'a page that goes elsewhere',
    code: 'CrossSite',
    body: (e) => `<script>location = '${BOOKING(e)}'</script>`,
  },
  {
    title: 'a link without a referrer that is clicked',
    code: 'CrossSite',
    body: (e) =>
      `<a id="a" rel="noreferrer" href="${escapeHtml(BOOKING(e))}"></a><script>document.querySelector('#a').click()</script>`,
  },
  {
    title: 'a page that redirects itself',
    code: 'CrossSite',
    body: (e) => `<meta http-equiv="refresh" content="0; url=${escapeHtml(BOOKING(e))}">`,
  },
  {
    title: 'a page that redirects itself without a referrer',
    code: 'CrossSite',
    body: (e) => `${SILENT}<meta http-equiv="refresh" content="0; url=${escapeHtml(BOOKING(e))}">`,
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

interface Call {
  readonly path: string;
  /** For `fetch`, whose types this project does not have. */
  readonly init: {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly mode?: string;
    readonly referrerPolicy?: string;
  };
}

/** A call by each form. */
const byForms = (operation: string, query: string): readonly Call[] => [
  { path: `/${operation}?${query}`, init: {} },
  {
    path: `/${operation}`,
    init: { method: 'POST', headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: query },
  },
];

const BOOKINGS = byForms('Fetch_Details', QUERY);

/** Whatever a page could read or change if its name were the service's. */
const EVERYTHING: readonly Call[] = [
  ...BOOKINGS,
  ...byForms('GetDoctor', 'centerid=1'),
  ...byForms('OPAppointmentdetail', `doctorid=101&appdate=${DAY}&centerid=1`),
  { path: '', init: { method: 'POST', headers: { 'Content-Type': 'text/xml' }, body: ENVELOPE } },
  ...['', '?wsdl', '?singleWsdl', '?disco', '?op=GetDoctor', '/../openapi.json'].map((path) => ({ path, init: {} })),
];

/** The headers that a page may choose, if a browser lets it, to look like a program. */
const DISGUISES: readonly Readonly<Record<string, string>>[] = [
  {},
  { 'User-Agent': 'curl/8.0' },
  { Accept: '' },
  { Accept: 'application/json' },
  { 'Accept-Language': '' },
  { 'Accept-Language': '*' },
  { 'Content-Language': 'en' },
  ...[
    'text/plain',
    'text/plain;xml',
    'text/plain; charset=xml',
    'text/plain; charset=utf-8; a="text/xml"',
    'application/x-www-form-urlencoded; a=xml',
    'multipart/form-data; boundary=xml',
    'text/plain, text/xml',
  ].map((type) => ({ 'Content-Type': type })),
  { 'X-Requested-With': 'XMLHttpRequest' },
  { Range: 'bytes=0-' },
  { Accept: '', 'Accept-Language': '' },
  { 'User-Agent': 'curl/8.0', Accept: '', 'Accept-Language': '', 'Content-Language': '' },
];

/** Modes of fetch; a navigation is an attack of its own above. */
const MODES = ['cors', 'no-cors'];

/** `''` is the browser's own, by which another site learns the page's origin. */
const REFERRER_POLICIES = ['', 'no-referrer', 'same-origin', 'origin', 'unsafe-url'];

/** Each call in each disguise. */
const inDisguise = (calls: readonly Call[], mode: string): readonly Call[] =>
  calls.flatMap(({ path, init }) =>
    DISGUISES.flatMap((disguise) =>
      REFERRER_POLICIES.map((referrerPolicy) => ({
        path,
        init: { ...init, mode, referrerPolicy, headers: { ...init.headers, ...disguise } },
      })),
    ),
  );

/** Makes the page fetch each call: `<status that the page learns, or stopped> <call, without its values>`. */
async function fetchAll(page: Page, endpoint: string, calls: readonly Call[]): Promise<readonly string[]> {
  const learned = (await page.evaluate(`Promise.all(${JSON.stringify(calls)}.map(({ path, init }) =>
    fetch('${endpoint}' + path, init).then((answer) => answer.status, () => 'stopped')))`)) as string[];
  return calls.map(({ path, init: { body: _, ...init } }, i) =>
    [learned[i], path.replace(/=.*/, ''), JSON.stringify(init)].join(' '),
  );
}

describeInEachBrowser('A page of another site', (openPage) => {
  let service: RunningService;
  let site: Server;
  let way: TcpWay;
  let body = '';
  before(async () => {
    site = createServer(({ url = '/' }, response) => {
      const [, target] = /^\/\?(.*)/.exec(url) ?? [];
      if (target !== undefined) response.writeHead(307, { Location: target }).end();
      else response.setHeader('Content-Type', 'text/html; charset=utf-8').end(pageWith(body));
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    way = await tcpWay(sitePort());
  });
  after(async () => {
    way.close();
    site.closeAllConnections();
    await new Promise((resolve) => site.close(resolve));
  });
  beforeEach(async () => {
    service = await startService({ environment: { ALLOWED_HOSTS: `127.0.0.1,${OWN_HOST}` } });
    body = '';
  });
  afterEach(() => service.close());

  const sitePort = () => (site.address() as AddressInfo).port;
  const siteUrl = () => `http://${FOREIGN_HOST}:${sitePort()}/`;

  const endpointAt = (host: string) => service.endpoint.replace('127.0.0.1', host);

  /** What the service answered so far: the code of each refused request, and `done` for an executed one. */
  const answers = () =>
    service.logLines
      .map((line) => JSON.parse(line) as { msg: string; code?: string })
      .filter(({ msg }) => msg.startsWith('call'))
      .map(({ code = 'done' }) => code);

  /** A page whose name leads to the service from now on, which is what a second answer of the DNS does. */
  async function openRebound(host = FOREIGN_HOST): Promise<WatchedPage & { readonly endpoint: string }> {
    way.leadTo(sitePort());
    way.cut();
    const watched = await openPage();
    const origin = `http://${host}:${way.port}`;
    await watched.page.goto(origin);
    way.leadTo(service.port);
    way.cut();
    return { ...watched, endpoint: origin + service.contract.path };
  }

  for (const { where, host } of SERVICES) {
    for (const attack of ATTACKS) {
      it(`books nothing by ${attack.title} at a service ${where}, which receives the call and refuses it`, async () => {
        body = attack.body(endpointAt(host), siteUrl());
        const { page, close } = await openPage();
        // The attack may end this navigation.
        const loaded = page.goto(siteUrl()).catch(() => null);
        await eventually(() => answers().length > 0);
        expect(new Set(answers())).to.deep.equal(new Set([attack.code]));
        expect(await appointmentsOf(service, DAY)).to.equal(0);
        await close();
        await loaded;
      });
    }

    for (const mode of MODES) {
      it(`books nothing by any fetch with mode ${mode} at a service ${where}, which refuses each`, async () => {
        const { page, close } = await openPage();
        await page.goto(siteUrl());
        const calls = inDisguise(BOOKINGS, mode);
        const told = await fetchAll(page, endpointAt(host), calls);
        expect(told.filter((line) => !line.startsWith('stopped'))).to.deep.equal([]);
        expect(answers()).to.have.length(calls.length);
        // The second is that of a preflight request, the last that of a form in plain text.
        const refusals = ['CrossSite', 'MethodNotAllowed', 'UnsupportedMediaType'];
        expect(answers().filter((code) => !refusals.includes(code))).to.deep.equal([]);
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
      const { page, close } = await openPage();
      await page.goto(siteUrl());
      await page.waitForFunction('document.title.includes("opaque")');
      expect(await page.title()).to.equal('fetch: stopped, frame: stopped, opaque fetch: stopped');
      await close();
    });
  }

  for (const attack of ATTACKS) {
    it(`books nothing by ${attack.title} if its own name is rebound to the service's address`, async () => {
      const { page, endpoint, close } = await openRebound();
      const content = SCRIPT_TEXT(pageWith(attack.body(endpoint, siteUrl())));
      // The attack may end this document.
      const written = page.evaluate(`document.write(${content}), document.close()`).catch(() => null);
      await eventually(() => answers().length > 0);
      expect(new Set(answers())).to.deep.equal(
        new Set([attack.code === 'CrossSite' ? 'MisdirectedRequest' : attack.code]),
      );
      expect(await appointmentsOf(service, DAY)).to.equal(0);
      await close();
      await written;
    });
  }

  for (const mode of MODES) {
    it(`reads and books nothing by any fetch with mode ${mode} if its own name is rebound to the service's address`, async () => {
      const { page, endpoint, close } = await openRebound();
      const told = await fetchAll(page, endpoint, inDisguise(EVERYTHING, mode));
      // 415 is the answer to an envelope that is not labelled as XML.
      expect(told.filter((line) => !/^(?:421|415)/.test(line))).to.deep.equal([]);
      expect(await page.evaluate("fetch('/metrics').then((answer) => answer.status)")).to.be.oneOf([404, 421]);
      expect(await appointmentsOf(service, DAY)).to.equal(0);
      await close();
    });
  }

  it('would have read and booked in the same way if its name were listed', async () => {
    const { page, endpoint, close } = await openRebound(OWN_HOST);
    const told = await fetchAll(page, endpoint, EVERYTHING);
    expect(told.filter((line) => !line.startsWith('200'))).to.deep.equal([]);
    expect(await appointmentsOf(service, DAY)).to.equal(1);
    await close();
  });

  for (const { where, host } of SERVICES) {
    it(`books nothing by a link outside of any page, in a mail, to a service ${where}; one that reads is answered`, async () => {
      const { page, close } = await openPage();
      expect((await page.goto(BOOKING(endpointAt(host))))?.status()).to.equal(403);
      expect((await page.goto(`${endpointAt(host)}/GetDoctor?centerid=1`))?.status()).to.equal(200);
      expect(answers()).to.deep.equal(['CrossSite', 'done']);
      expect(await appointmentsOf(service, DAY)).to.equal(0);
      await close();
    });
  }

  it('books nothing by an image from another port of the same host, either', async () => {
    body = `<img src="${service.endpoint}/Fetch_Details?${escapeHtml(QUERY)}">`;
    const { page, close } = await openPage();
    await page.goto(siteUrl().replace(FOREIGN_HOST, '127.0.0.1'), { waitUntil: 'load' });
    await eventually(() => answers().length > 0);
    expect(answers()).to.deep.equal(['CrossSite']);
    expect(await appointmentsOf(service, DAY)).to.equal(0);
    await close();
  });

  it('cannot send an envelope as XML: the browser sends a preflight request, which is refused', async () => {
    body = `<script>fetch('${service.endpoint}', { method: 'POST', headers: { 'Content-Type': 'text/xml' }, body: 'x' }).catch(() => { document.title = 'stopped' })</script>`;
    const { page, close } = await openPage();
    await page.goto(siteUrl());
    await page.waitForFunction('document.title === "stopped"');
    expect(answers()).to.deep.equal(['MethodNotAllowed']);
    expect(await appointmentsOf(service, DAY)).to.equal(0);
    await close();
  });

  it('cannot show a page of the service in a frame', async () => {
    body = `<iframe src="${service.endpoint}?op=Fetch_Details"></iframe>`;
    const { page, complaints, close } = await openPage();
    await page.goto(siteUrl(), { waitUntil: 'load' });
    expect((await page.frames().at(-1)?.$$('form'))?.length).to.equal(0);
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
      const { page, close } = await openPage();
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
