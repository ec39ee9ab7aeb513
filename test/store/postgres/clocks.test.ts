import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { gatewayAt } from '../../sms/example-gateways.ts';
import { emptyPostgresDatabase, ON_POSTGRES, type OwnDatabase } from '../../support/database/test-database.ts';
import { fakeTime, fakeTimeLibrary } from '../../support/process/fake-time.ts';
import { freePort } from '../../support/process/free-port.ts';
import { runByNode, type ServiceProcess, startProcess } from '../../support/process/service-process.ts';
import { startedServices } from '../../support/process/started-services.ts';
import { skipTest } from '../../support/skip-test.ts';

/** Its leases last two seconds, so that the damage of a wrong clock soon shows. */
const HASTY_SERVICE = fileURLToPath(new URL('../../sms/hasty-service.ts', import.meta.url));
const MESSAGES = 120;
/** How long the gateway takes per message, in milliseconds: long enough for a message being sent to be taken over wrongly. */
const SENDING = 400;
const LEASE = 2500;

(ON_POSTGRES ? describe : describe.skip)('Replicas whose clocks differ (npm run ci -- postgres)', () => {
  const services = startedServices();
  const started: ServiceProcess[] = [];
  let library: string;
  let own: OwnDatabase;
  let gateway: Server;
  /** Texts that reached the gateway. */
  let sent: string[];
  let settings: Readonly<Record<string, string>>;

  before(async function () {
    const found = await fakeTimeLibrary();
    if (found === undefined) skipTest(this, 'libfaketime cannot be installed here');
    else library = found;
  });
  beforeEach(async () => {
    own = await emptyPostgresDatabase();
    sent = [];
    gateway = createServer(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      sent.push(text);
      setTimeout(() => response.writeHead(202).end('0: Accepted for delivery'), SENDING);
    });
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
    settings = {
      DATABASE_URL: own.url,
      DEMO_DATA: 'true',
      RATE_LIMIT: '0',
      SMS_GATEWAY: `http:${gatewayAt(services.folder.path, `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`)}`,
      SMS_USERNAME: 'u',
      SMS_PASSWORD: 'p',
      SMS_RATE: '30',
    };
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((service) => service.stop()));
    gateway?.closeAllConnections();
    await new Promise((resolve) => gateway.close(resolve));
    await own.remove();
  });

  /** `seconds` ahead of this machine; the monotonic clock is unchanged. */
  const replica = async (seconds: number) => {
    const port = await freePort();
    const environment = {
      ...settings,
      PORT: String(port),
      OPERATIONS_PORT: String(await freePort()),
      ...fakeTime(library, seconds),
    };
    const service = startProcess(services.folder.path, environment, runByNode(HASTY_SERVICE));
    started.push(service);
    await service.printed('"msg":"ready"');
    return { ...service, endpoint: `http://127.0.0.1:${port}/TPWebServices.asmx` };
  };

  const send = async (endpoint: string, text: string, n: number) => {
    const body = new URLSearchParams({ Mobileno: String(9_845_012_345 + n), Message: text, tempid: '0', SMSmode: '1' });
    const answer = await fetch(`${endpoint}/Sent_SMS`, { method: 'POST', body });
    expect(answer.status, await answer.text()).to.equal(200);
  };

  it('send no message twice', async () => {
    const replicas = [await replica(0), await replica(120), await replica(-120)];
    // A process takes over what others were sending once it has listened for the length of a lease.
    await new Promise((resume) => setTimeout(resume, LEASE));
    const texts = Array.from({ length: MESSAGES }, (_, n) => `Token ${n} is called.`);
    for (const [n, text] of texts.entries()) await send(replicas[n % replicas.length]?.endpoint ?? '', text, n);
    const deadline = performance.now() + 40_000;
    while (sent.length < MESSAGES && performance.now() < deadline)
      await new Promise((resume) => setTimeout(resume, 50));
    // Anything taken over wrongly is sent again within a few turns.
    await new Promise((resume) => setTimeout(resume, 4 * SENDING));
    expect(sent.toSorted()).to.deep.equal(texts.toSorted());
  });
});
