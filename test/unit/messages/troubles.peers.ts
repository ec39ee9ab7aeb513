import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { cleanUpLater } from '../../support/clean-up.ts';
import { newIssuer } from '../../support/http/test-certificates.ts';
import { perSuite } from '../../support/prepared.ts';
import { freePort } from '../../support/process/free-port.ts';
import { startReady } from '../../support/process/service-process.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { gatewayAt } from './example-gateways.ts';
import { startHttpProvider } from './http-provider.ts';
import { reaches, sendSms } from './sent-messages.ts';
import { startSmppServer } from './smpp-server-process.ts';

const SECRET = 'callback-secret-0001';
const [QUEUED, SUBMITTED, DELIVERED, FAILED] = [1, 3, 4, 5];

describe('The service, an SMS center and what troubles people with theirs', function () {
  this.timeout(60_000);
  const folder = perSuite(temporaryFolder);
  const database = () => join(folder.path, 'service.db');
  const center = perSuite(() => startSmppServer());
  const service = perSuite(() =>
    startReady(folder.path, {
      DATABASE_URL: `sqlite:${database()}`,
      SMS_GATEWAY: `smpp://127.0.0.1:${center.port}`,
      SMS_USERNAME: 'hospital',
      SMS_SENDER: 'HOSPTL',
    }),
  );
  beforeEach(() => center.reset());

  for (const [what, peculiar] of [
    ['masks the phone', { source_addr: '91984XXXXX21' }],
    ['leaves the phone out', { source_addr: '' }],
    ['swaps sender and phone', { source_addr: 'HOSPTL', destination_addr: '919845054321' }],
    ['does not mark it', { esm_class: 0 }],
    ['marks it otherwise', { esm_class: 0x08 }],
  ] as const) {
    it(`count a receipt that ${what}`, async () => {
      await center.behave({ receipts: { stat: 'DELIVRD', form: 'text', delay: 20, peculiar } });
      await reaches(database(), await sendSms(service, what), DELIVERED);
    });
  }

  it('say why a network rejects what it had accepted, whatever the form of the receipt', async () => {
    for (const [stat, form, peculiar, code] of [
      ['TEMPLATE-VARIABLE-EXCEEDED-MAX-LENGTH', 'text', {}, 'TEMPLATE-VARIABLE-EXCEEDED-MAX-LENGTH:628'],
      ['UNDELIV', 'both', {}, 'UNDELIV:628'],
    ] as const) {
      await center.behave({ receipts: { stat, err: '628', form, peculiar } });
      expect(await reaches(database(), await sendSms(service, stat), FAILED)).to.equal(code);
    }
  });

  it('fail a long message of which the SMS center reports on the first segment only', async () => {
    const id = await sendSms(service, 'x'.repeat(400));
    await reaches(database(), id, SUBMITTED);
    const [first] = await center.submits();
    await center.sendReceipt({ id: first?.id ?? '', stat: 'UNDELIV', err: '628' });
    await reaches(database(), id, FAILED, 'UNDELIV:628');
  });

  it('keep all messages while the account is refused, and then send each once', async () => {
    await center.behave({ status: 0x0a });
    const ids: number[] = [];
    for (let n = 0; n < 6; n++) ids.push(await sendSms(service, `Waits ${n}`, { Mobileno: `984505440${n}` }));
    for (const id of ids) await reaches(database(), id, QUEUED, 'ESME_RINVSRCADR');
    expect(service.output()).to.include('gateway accepts no messages, probing it');
    await center.behave({ status: 0 });
    for (const id of ids) await reaches(database(), id, SUBMITTED);
    const sent = (await center.submits()).map(({ text }) => text);
    expect(sent.toSorted()).to.deep.equal(ids.map((_, n) => `Waits ${n}`));
  });

  it('are throttled for few segments, and none goes out twice', async () => {
    await center.behave({ perSecond: 20 });
    const ids: number[] = [];
    for (let n = 0; n < 12; n++) ids.push(await sendSms(service, 'x'.repeat(760), { Mobileno: `98450545${n + 10}` }));
    for (const id of ids) await reaches(database(), id, SUBMITTED);
    const { submits, throttled } = await center.counts();
    expect(submits - throttled).to.equal(12 * 5);
    expect(throttled).to.be.below(20);
  });
});

describe('The service, a provider over HTTP and its call-backs', function () {
  this.timeout(60_000);
  const folder = perSuite(temporaryFolder);
  const database = () => join(folder.path, 'service.db');
  const provider = perSuite(() => startHttpProvider({ status: 200 }));
  const service = perSuite(() =>
    startReady(folder.path, {
      DATABASE_URL: `sqlite:${database()}`,
      SMS_GATEWAY: `http:${gatewayAt(folder.path, provider.url, 'gupshup')}`,
      SMS_CALLBACK_SECRET: SECRET,
    }),
  );
  const events = (reference: string) =>
    JSON.stringify(
      Array.from({ length: 550 }, (_, n) => ({
        externalId: n === 549 ? reference : `another-${n}`,
        eventType: 'DELIVERED',
        destAddr: 'a phone of somebody',
        cause: 'SUCCESS',
      })),
    );

  for (const [what, encoded, headers] of [
    ['of nearly 64 KiB', (text: string) => Buffer.from(text), {}],
    ['in gzip', (text: string) => gzipSync(text), { 'Content-Encoding': 'gzip' }],
  ] as const) {
    it(`take a batch ${what}`, async () => {
      const reference = `1-${what.length}`;
      provider.answer = { status: 200, body: `success | 919845054321 | ${reference}` };
      const id = await sendSms(service, what);
      await reaches(database(), id, SUBMITTED);
      const body = encoded(events(reference));
      expect(events(reference)).to.have.length.within(50_000, 65_536);
      const url = new URL(`/sms/status/${SECRET}`, service.endpoint);
      const answer = await fetch(url, {
        method: 'POST',
        body,
        headers: { 'Content-Type': 'application/json', ...headers },
      });
      expect([answer.status, await answer.text()]).to.deep.equal([200, 'OK']);
      await reaches(database(), id, DELIVERED);
    });
  }
});

describe('A gateway that speaks only TLS 1.1', function () {
  this.timeout(60_000);
  const folder = perSuite(temporaryFolder);
  const old = perSuite(async () => {
    const { certFile: trusted, issue } = newIssuer(folder.path);
    const { certFile, keyFile } = issue('old');
    const port = await freePort();
    const ciphers = ['-tls1_1', '-cipher', 'ALL:@SECLEVEL=0'];
    const options = ['-quiet', ...ciphers, '-cert', certFile, '-key', keyFile, '-port', String(port)];
    const child = spawn('openssl', ['s_server', ...options], { stdio: ['pipe', 'ignore', 'ignore'] });
    await once(child, 'spawn');
    cleanUpLater(() => child.kill());
    return { port, trusted };
  });

  for (const [over, gateway] of [
    ['SMPP', () => `ssmpp://127.0.0.1:${old.port}`],
    ['HTTP', () => `http:${gatewayAt(folder.path, `https://127.0.0.1:${old.port}/`)}`],
  ] as const) {
    it(`is named so over ${over}`, async () => {
      const database = join(folder.path, `${over}.db`);
      const service = await startReady(folder.path, {
        DATABASE_URL: `sqlite:${database}`,
        SMS_GATEWAY: gateway(),
        SMS_USERNAME: 'hospital',
        NODE_EXTRA_CA_CERTS: old.trusted,
      });
      await reaches(database, await sendSms(service, 'Hello'), QUEUED, 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
    });
  }
});
