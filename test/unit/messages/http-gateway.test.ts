import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect } from 'chai';
import type { Gateway, OutgoingMessage } from '../../../src/messages/gateways/gateway.ts';
import {
  chooseHttpGateway,
  createHttpGateway,
  type HttpSettings,
} from '../../../src/messages/gateways/http-gateway.ts';
import { checkHttpTemplate, type HttpTemplateInput } from '../../../src/messages/gateways/http-template.ts';
import { needOpenssl, newIssuer } from '../../support/http/test-certificates.ts';
import { perSuite } from '../../support/prepared.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { gatewayAt } from './example-gateways.ts';
import { gatewayDependencies, gatewaySuite, outgoing } from './gateway-suite.ts';
import { type ProviderAnswer, startHttpProvider } from './http-provider.ts';

const SECRETS = { username: 'hospital', password: 'p&w=%41 ü' };
const HINDI = 'नमस्ते 🙏';
const DLT = { header: 'TPHOSP', dltTemplateId: '1107161234567890123', principalEntityId: '1101234567890123456' };

const settings = (more: Partial<HttpSettings> = {}): HttpSettings => ({
  ...SECRETS,
  sender: 'HOSPTL',
  callbackSecret: 'callback-secret-0001',
  ...more,
});

gatewaySuite('Kannel’s template to a provider on loopback', async () => {
  const provider = await startHttpProvider({ status: 202, body: '0: Accepted for delivery' });
  const password = 'p&w=%41 u';
  const folder = temporaryFolder();
  const chosen = chooseHttpGateway(gatewayAt(folder.path, provider.url), settings({ password }));
  expect(chosen.description).to.not.contain('p&w');
  return {
    open: (dependencies) => chosen.open(dependencies),
    received: async () =>
      provider.seen.map(({ headers, body }) => ({
        to: String(headers['x-kannel-to']),
        text: body,
        flash: headers['x-kannel-mclass'] === '0',
      })),
    makeUnavailable: () => provider.stopListening(),
    makeAvailable: () => provider.listenAgain(),
    dispose: async () => {
      await provider.stop();
      folder.remove();
    },
  };
});

describe('HTTP gateway: requests and answers of its templates', () => {
  const provider = perSuite(() => startHttpProvider({ status: 200 }));
  let gateway: Gateway;
  const folder = perSuite(temporaryFolder);
  beforeEach(() => {
    provider.seen.length = 0;
  });

  const open = (name: string, more: Partial<HttpSettings> = {}) => {
    gateway = chooseHttpGateway(gatewayAt(folder.path, provider.url, name), settings(more)).open(gatewayDependencies());
  };
  const send = (message: Partial<OutgoingMessage>, answer: ProviderAnswer) => {
    provider.answer = answer;
    return gateway.send(outgoing({ id: 77, ...message }));
  };
  const form = () => Object.fromEntries(new URLSearchParams(provider.seen.at(-1)?.body));
  const CALLBACK = 'http://127.0.0.1:8080/sms/status/callback-secret-0001';

  describe('kannel', () => {
    const ACCEPTED = { status: 202, body: '0: Accepted for delivery' };
    before(() => open('kannel', { password: 'secret' }));

    it('sends a message', async () => {
      expect(await send({ text: 'é€ {to}' }, ACCEPTED)).to.deep.equal({ kind: 'submitted', reference: undefined });
      const [seen] = provider.seen;
      expect(seen).to.deep.include({ method: 'POST', url: '/send', body: 'é€ {to}' });
      expect(seen?.headers).to.deep.equal({
        host: `127.0.0.1:${provider.port}`,
        connection: 'close',
        'accept-encoding': 'identity',
        'content-type': 'text/plain; charset=UTF-8',
        'content-length': '10',
        'x-kannel-username': 'hospital',
        'x-kannel-password': 'secret',
        'x-kannel-from': 'HOSPTL',
        'x-kannel-to': '+919845012345',
        'x-kannel-coding': '0',
        'x-kannel-dlr-mask': '27',
        'x-kannel-dlr-url': `${CALLBACK}?id=77&status=%d`,
      });
    });

    it('sends UCS-2, flash, an expiry time and DLT ids', async () => {
      await send({ text: HINDI, encoding: 'UCS-2', flash: true, expiresOn: Date.now() + 599_000, ...DLT }, ACCEPTED);
      expect(provider.seen[0]?.body).to.equal(HINDI);
      expect(provider.seen[0]?.headers).to.include({
        'x-kannel-coding': '2',
        'x-kannel-mclass': '0',
        'x-kannel-validity': '10',
        'x-kannel-from': 'TPHOSP',
        'x-kannel-meta-data': '?smpp?PE_ID=1101234567890123456&TEMPLATE_ID=1107161234567890123',
      });
    });

    it('requests no receipts if there are no callbacks', async () => {
      const template = gatewayAt(folder.path, provider.url);
      const alone = chooseHttpGateway(template, settings({ callbackSecret: undefined }));
      provider.answer = ACCEPTED;
      await alone.open(gatewayDependencies()).send(outgoing());
      expect(Object.keys(provider.seen[0]?.headers ?? {}).filter((name) => name.includes('dlr'))).to.deep.equal([]);
    });

    for (const [status, body, fate] of [
      [202, '3: Queued for later delivery', { kind: 'submitted', reference: undefined }],
      [503, 'Temporal failure, try again later.', { kind: 'unavailable', code: 'http-503' }],
      [403, 'Authorization failed for sendsms', { kind: 'unavailable', code: 'http-403' }],
      [400, 'Invalid receiver +919845012345', { kind: 'refused', code: 'http-400' }],
      [202, 'what is this?', { kind: 'not-understood', code: 'not-understood:text' }],
    ] as const) {
      it(`takes "${body}" as ${fate.kind}`, async () => {
        expect(await send({}, { status, body })).to.deep.equal(fate);
      });
    }
  });

  describe('msg91', () => {
    before(() => open('msg91', { password: 'key/+=' }));
    const accepted = { status: 200, body: '{"message":"346178616466343130303130","type":"success"}' };

    it('sends a message', async () => {
      expect(await send({ text: '"é"\n{to}', ...DLT }, accepted)).to.deep.equal({
        kind: 'submitted',
        reference: '346178616466343130303130',
      });
      expect(provider.seen[0]?.headers).to.include({
        authkey: 'key/+=',
        'content-type': 'application/json; charset=utf-8',
      });
      expect(provider.seen[0]?.body).to.equal(
        '{"sender":"TPHOSP","route":"4","DLT_TE_ID":"1107161234567890123","sms":[{"message":"\\"é\\"\\n{to}","to":["919845012345"]}]}',
      );
    });

    it('sends UCS-2 and flash', async () => {
      await send({ text: HINDI, encoding: 'UCS-2', flash: true }, accepted);
      expect(JSON.parse(provider.seen[0]?.body ?? '')).to.deep.equal({
        sender: 'HOSPTL',
        route: '4',
        unicode: 1,
        flash: 1,
        sms: [{ message: HINDI, to: ['919845012345'] }],
      });
    });

    for (const [body, fate] of [
      ['{"message":"Authentication failure","type":"error","code":"207"}', { kind: 'unavailable', code: '207' }],
      ['{"message":"IP blocked","type":"error","code":418}', { kind: 'unavailable', code: '418' }],
      ['{"message":"Invalid mobile 919845012345","type":"error","code":"202"}', { kind: 'refused', code: '202' }],
      ['{"message":"no","type":"error"}', { kind: 'refused', code: 'http-200' }],
    ] as const) {
      it(`takes ${body} as ${fate.kind}`, async () => {
        expect(await send({}, { status: 200, body })).to.deep.equal(fate);
      });
    }
  });

  describe('gupshup', () => {
    before(() => open('gupshup'));

    it('sends a message', async () => {
      const answer = { status: 200, body: 'success | 919845012345 | 728014710863298817-1234567890123456789' };
      expect(await send({ text: 'a&b=c +é', ...DLT }, answer)).to.deep.equal({
        kind: 'submitted',
        reference: '728014710863298817-1234567890123456789',
      });
      expect(provider.seen[0]?.headers['content-type']).to.equal('application/x-www-form-urlencoded; charset=utf-8');
      expect(provider.seen[0]?.body)
        .to.contain('&msg=a%26b%3Dc+%2B%C3%A9&')
        .and.contain('&password=p%26w%3D%2541+%C3%BC&');
      expect(form()).to.deep.equal({
        method: 'SendMessage',
        userid: 'hospital',
        password: 'p&w=%41 ü',
        auth_scheme: 'plain',
        v: '1.1',
        format: 'text',
        send_to: '919845012345',
        msg: 'a&b=c +é',
        msg_type: 'TEXT',
        mask: 'TPHOSP',
        principalEntityId: '1101234567890123456',
        dltTemplateId: '1107161234567890123',
      });
    });

    for (const [encoding, flash, type] of [
      ['UCS-2', false, 'UNICODE_TEXT'],
      ['GSM-7', true, 'FLASH'],
      ['UCS-2', true, 'UNICODE_FLASH'],
    ] as const) {
      it(`sends ${encoding}${flash ? ' flash' : ''} as ${type}`, async () => {
        await send({ encoding, flash }, { status: 200, body: 'success | 919845012345 | 1-2' });
        expect(form()).to.include({ msg_type: type });
      });
    }

    for (const [body, fate] of [
      ['error | 102 | Authentication failed due to invalid userId or password.', { kind: 'unavailable', code: '102' }],
      ['error | 175 | The "SMS" service is disabled for you', { kind: 'unavailable', code: '175' }],
      ['error | 105 | The phone number 919845012345 is not valid', { kind: 'refused', code: '105' }],
    ] as const) {
      it(`takes ${body} as ${fate.kind}`, async () => {
        expect(await send({}, { status: 200, body })).to.deep.equal(fate);
      });
    }
  });

  describe('textlocal', () => {
    before(() => open('textlocal', { password: 'key/+=' }));
    const body = '{"status":"success","messages":[{"id":1151346216,"recipient":919845012345}]}';
    const accepted = { status: 200, body };

    it('sends a message', async () => {
      expect(await send({ text: HINDI, encoding: 'UCS-2' }, accepted)).to.deep.equal({
        kind: 'submitted',
        reference: '1151346216',
      });
      expect(form()).to.deep.equal({
        apikey: 'key/+=',
        numbers: '919845012345',
        sender: 'HOSPTL',
        message: HINDI,
        unicode: 'true',
        custom: '77',
        receipt_url: CALLBACK,
        format: 'json',
      });
    });

    for (const [code, fate] of [
      [3, { kind: 'unavailable', code: '3' }],
      [192, { kind: 'failed', code: '192' }],
      [32, { kind: 'refused', code: '32' }],
    ] as const) {
      it(`takes error ${code} as ${fate.kind}`, async () => {
        const body = JSON.stringify({ errors: [{ code, message: 'for 919845012345' }], status: 'failure' });
        expect(await send({}, { status: 200, body })).to.deep.equal(fate);
      });
    }
  });
});

describe('HTTP gateway: network failures', () => {
  const TEMPLATE: HttpTemplateInput = {
    url: 'http://127.0.0.1:1/',
    body: { form: { to: '{to}', text: '{text}' } },
    answers: [{ status: ['2xx'], body: '^0: Accepted|^x+$', means: 'submitted' }],
  };
  const provider = perSuite(() => startHttpProvider({ status: 200 }));

  const sendTo = (url: string, answer?: ProviderAnswer, environment = {}) => {
    if (answer !== undefined) provider.answer = answer;
    const account = { ...SECRETS, sender: undefined, callbackUrl: undefined };
    const template = { ...checkHttpTemplate(TEMPLATE, 'test'), url, timeoutSeconds: 0.5 };
    return createHttpGateway(template, account, { ...gatewayDependencies(), environment }).send(outgoing());
  };

  for (const [what, url, answer, fate] of [
    [
      'is unavailable if nothing listens',
      'http://127.0.0.1:1/',
      undefined,
      { kind: 'unavailable', code: 'ECONNREFUSED' },
    ],
    ['is unavailable if the host name is unknown', 'http://nowhere.invalid/', undefined, { kind: 'unavailable' }],
    ['is unavailable if TLS fails', 'https', undefined, { kind: 'unavailable' }],
    ['reports an unknown fate after a broken connection', 'http', 'drop', { kind: 'unknown', code: 'ECONNRESET' }],
    ['believes a truncated answer that says so', 'http', 'cut', { kind: 'submitted' }],
    ['reports an unknown fate after the time limit', 'http', 'silent', { kind: 'unknown', code: 'timeout' }],
    ['reads only 64 KiB of an endless answer', 'http', 'endless', { kind: 'submitted' }],
  ] as const) {
    it(what, async () => {
      const whole = url.includes(':') ? url : `${url}://127.0.0.1:${provider.port}/`;
      expect(await sendTo(whole, answer)).to.include(fate);
    });
  }
  it('follows no redirect', async () => {
    const count = provider.seen.length;
    const answer = { status: 307, headers: { Location: provider.url } };
    expect(await sendTo(provider.url, answer)).to.deep.equal({ kind: 'unavailable', code: 'http-307' });
    expect(provider.seen.length).to.equal(count + 1);
  });
  for (const [status, kind] of [
    [400, 'refused'],
    [401, 'unavailable'],
    [404, 'unavailable'],
    [408, 'failed'],
    [422, 'refused'],
    [429, 'unavailable'],
    [500, 'unknown'],
    [502, 'unknown'],
    [503, 'unavailable'],
  ] as const) {
    it(`takes ${status} as ${kind} if the template does not say otherwise`, async () => {
      expect(await sendTo(provider.url, { status, body: 'x' })).to.deep.equal({ kind, code: `http-${status}` });
    });
  }

  it('goes through the web proxy of the environment, except to this machine', async () => {
    const proxy = { HTTP_PROXY: provider.url };
    const there = 'http://sms.example.invalid/send';
    const sent = await sendTo(there, { status: 202, body: '0: Accepted' }, proxy);
    expect(sent).to.deep.equal({ kind: 'submitted', reference: undefined });
    expect(provider.seen.at(-1)?.url).to.equal(there);
    expect(await sendTo(there, undefined, { ...proxy, NO_PROXY: '.invalid' })).to.include({ kind: 'unavailable' });
    await sendTo(provider.url, undefined, proxy);
    expect(provider.seen.at(-1)?.url).to.equal('/send');
  });

  describe('over TLS', () => {
    const folder = perSuite(temporaryFolder);
    const trusted = getCACertificates('default');
    let issuer: string;
    const secure = perSuite((context) => {
      needOpenssl(context);
      const made = newIssuer(folder.path);
      issuer = made.cert;
      return startHttpProvider({ status: 202, body: '0: Accepted' }, made.issue('provider'));
    });
    after(() => setDefaultCACertificates(trusted));

    it('is unavailable if the certificate is not trusted, and sends nothing', async () => {
      expect(await sendTo(secure.url)).to.include({ kind: 'unavailable' });
      expect(secure.seen).to.deep.equal([]);
    });
    it('sends if the certificate is trusted', async () => {
      setDefaultCACertificates([...trusted, issuer]);
      expect(await sendTo(secure.url)).to.deep.equal({ kind: 'submitted', reference: undefined });
      secure.answer = 'drop';
      expect(await sendTo(secure.url)).to.deep.equal({ kind: 'unknown', code: 'ECONNRESET' });
    });
  });
});
