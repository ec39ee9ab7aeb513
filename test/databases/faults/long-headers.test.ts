import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { hashSecret, writeSecretHash } from '../../../src/access/secret-hash.ts';
import { createObserveRequest } from '../../../src/commands/rehearse/observe-request.ts';
import { listenHere } from '../../support/http/listen-here.ts';
import { perSuite } from '../../support/prepared.ts';
import { startService } from '../../support/process/start-service.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { bodyOf, encodeForm, envelope, operationElement, PATH } from './requests.ts';

const SECRET = 'callback-secret-0001';
/** Together with the other headers, the longest is just below Node's limit of 16 KiB. */
const LENGTHS = [3500, 7000, 14_000] as const;
/** Twice the time is linear, and four times is quadratic. What does not depend on the header makes both smaller. */
const MOST_GROWTH = 3;
const ATTEMPTS = 10;
const FILLS = [' ', ',', ';', '"', 'a', '::1,', '", '];
/** How values begin that are read further than others. */
const STARTS: Readonly<Record<string, string>> = {
  accept: 'application/json,',
  authorization: 'Basic YTpi',
  'content-type': 'text/xml;a=b',
  origin: 'http://a',
  referer: 'http://a',
  traceparent: '00-',
  'x-client-cert': '-----BEGIN CERTIFICATE-----',
};

const XML = envelope('1.1', operationElement('Fetch_Details', bodyOf('Fetch_Details')));
const FORM = encodeForm(bodyOf('Fetch_Details'));
type Headers = Readonly<Record<string, string>>;
/** Requests that read different headers. */
const REQUESTS = [
  { path: PATH, type: 'text/xml', body: XML },
  { path: `${PATH}/Fetch_Details`, type: 'application/x-www-form-urlencoded', body: FORM },
  { path: `/sms/status/${SECRET}`, type: 'text/plain', body: 'id=1&status=1' },
] as const;
type Request = (typeof REQUESTS)[number];

const timeSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

describe('The service with long headers', function () {
  this.timeout(120_000);
  const folder = perSuite(temporaryFolder);
  /** The headers that were read while requests were served. */
  const read = new Set<string>();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });

  after(() => agent.destroy());
  const service = perSuite(async () => {
    const hash = writeSecretHash(await hashSecret('lab.secret', randomBytes, { N: 2, r: 1, p: 1 }));
    const file = join(folder.path, 'clients.json');
    const clients = [
      { name: 'kiosk', certificateFingerprint: 'a'.repeat(64) },
      { name: 'desk', networks: ['127.0.0.0/8', '::1'] },
      { name: 'lab', username: 'lab', passwordHash: hash },
      { name: 'his', apiKeyHash: hash },
    ];
    writeFileSync(file, JSON.stringify({ clients }));
    return startService({
      environment: {
        CLIENTS_FILE: file,
        CORS_ORIGINS: 'http://desk.example.org',
        PROXY_CLIENT_CERTIFICATES: 'true',
        SMS_CALLBACK_SECRET: SECRET,
        SMS_GATEWAY: 'http:kannel',
        SMS_PASSWORD: 'p',
        SMS_USERNAME: 'u',
        TRUSTED_PROXIES: '127.0.0.1,::1',
      },
    });
  });
  const server = perSuite(() => {
    const recording = new Proxy(service.app, {
      apply: (app, _this, [incoming, response]) => {
        const get = (headers: object, name: string) => {
          read.add(name);
          return Reflect.get(headers, name);
        };
        Object.defineProperty(incoming, 'headers', { value: new Proxy(incoming.headers, { get }) });
        app(incoming, response);
      },
    });
    return listenHere(recording);
  });

  /** Milliseconds of CPU that a request takes, of the service and of this client. */
  async function timeOf({ path, type, body }: Request, headers: Headers): Promise<number> {
    const before = process.cpuUsage();
    const all = { 'content-type': type, ...headers };
    const outgoing = request({ port: server.port, method: 'POST', path, agent, headers: all });
    outgoing.end(body);
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    await once(incoming.resume(), 'end');
    return timeSince(before);
  }

  /** How many times as long something takes with each doubling of a length: the least of several attempts. */
  async function growthOf(time: (length: number) => Promise<number> | number): Promise<number> {
    const least = LENGTHS.map(() => Number.POSITIVE_INFINITY);
    for (let attempt = 0; ; attempt++) {
      for (const [at, length] of LENGTHS.entries()) {
        least[at] = Math.min(least[at] as number, await time(length));
      }
      const growth = Math.max(...least.slice(1).map((one, at) => one / (least[at] as number)));
      if (growth < MOST_GROWTH || attempt === ATTEMPTS) return growth;
    }
  }

  let values = 0;
  /** Never the same twice, because a service may remember what it has parsed. */
  const headerValue = (name: string, fill: string, length: number): string =>
    `${STARTS[name] ?? ''}${fill.repeat(length / fill.length)}x${values++}`;

  /** The names of all headers that the service reads: in its sources, and in a run. */
  async function allRead(): Promise<readonly string[]> {
    const variants = [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'http://desk.example.org' },
      { origin: 'http://a' },
    ];
    for (const sent of REQUESTS) for (const headers of variants) await timeOf(sent, headers);
    const sources = globSync('src/**/*.ts').map((file) => readFileSync(file, 'utf8'));
    const inSources = sources.flatMap((text) =>
      Array.from(
        text.matchAll(/[hH]eaders\??(?:\.([a-z]+)\b(?!\()|\['([a-z-]+)'\])/g),
        ([, a, b]) => (a ?? b) as string,
      ),
    );
    // These belong to lists of our own.
    const notRequests = new Set(['push', 'length', 'name', 'filter', 'map', 'find', 'some', 'join']);
    return [...new Set([...read, ...inSources])].filter((name) => typeof name === 'string' && !notRequests.has(name));
  }

  it('takes no more than proportionally longer for a longer one, whichever it is and whatever it contains', async () => {
    const names = await allRead();
    expect(names).to.include.members(['accept', 'authorization', 'content-type', 'host', 'idempotency-key', 'origin']);
    expect(names).to.include.members(['referer', 'soapaction', 'x-api-key', 'x-client-cert', 'x-forwarded-for']);
    for (const name of names) {
      // Node refuses any other values of these.
      if (name === 'content-length' || name === 'transfer-encoding') continue;
      for (const fill of FILLS) {
        for (const sent of REQUESTS) {
          const growth = await growthOf((length) => timeOf(sent, { [name]: headerValue(name, fill, length) }));
          expect(growth, `${name} of "${fill}" at ${sent.path}`).to.be.below(MOST_GROWTH);
        }
      }
    }
  });

  it('takes no more than proportionally longer in a rehearsal', async () => {
    const observe = createObserveRequest(service.contract);
    for (const name of ['content-type', 'soapaction', 'user-agent', 'host']) {
      for (const fill of FILLS) {
        const growth = await growthOf((length) => {
          const headers = [name, headerValue(name, fill, length)];
          const before = process.cpuUsage();
          observe({ method: 'POST', target: PATH, headers, body: Buffer.from(XML), address: '127.0.0.1' });
          return timeSince(before) + 1;
        });
        expect(growth, `${name} of "${fill}"`).to.be.below(MOST_GROWTH);
      }
    }
  });
});
