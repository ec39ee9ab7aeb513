import { expect } from 'chai';
import type { Transport } from '../../../src/contract/contract.ts';
import { requestOver, TRANSPORTS } from '../../support/http/four-transports.ts';
import { basic, type Caller, type SentAnswer, sendAs } from '../../support/http/send-as.ts';
import { needOpenssl, newIssuer, type TestCertificate, type TestIssuer } from '../../support/http/test-certificates.ts';
import { type RunningService, startService } from '../../support/process/start-service.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { hashOf, writeClients } from './known-clients.ts';

/** The statuses of the answers and their code, by transport: both forms answer alike. */
interface Expected {
  readonly code: string;
  readonly soap11: number;
  readonly soap12: number;
  readonly forms: number;
}
const OK: Expected = { code: '<ResultCode>0</ResultCode>', soap11: 200, soap12: 200, forms: 200 };
const UNAUTHORIZED: Expected = { code: 'Unauthorized', soap11: 401, soap12: 401, forms: 401 };
const FORBIDDEN: Expected = { code: 'Forbidden', soap11: 403, soap12: 403, forms: 403 };
const NO_CENTER: Expected = { code: '<ResultCode>11</ResultCode>', soap11: 500, soap12: 500, forms: 404 };

const IN = '127.0.0.5';
const OUT = '127.0.0.9';
const KEY = 'keyed.0123456789abcdef';
const PASSWORD = 'pässword: with a colon';

/** A correct way of identification, and the ways in which it can be wrong. */
interface WayIn {
  readonly title: string;
  readonly right: () => Caller;
  readonly wrong: Readonly<Record<string, () => Caller>>;
}

describe('Access', () => {
  const folder = temporaryFolder();
  let issuer: TestIssuer;
  let certificates: Record<'good' | 'strange' | 'expired' | 'foreign', TestCertificate>;
  let service: RunningService;
  let proxied: RunningService;
  let plainProxied: typeof proxied;

  before(async function () {
    needOpenssl(this);
    issuer = newIssuer(folder.path);
    const server = issuer.issue('server');
    certificates = {
      good: issuer.issue('good'),
      strange: issuer.issue('strange'),
      expired: issuer.issue('expired', -1),
      foreign: newIssuer(folder.path, 'elsewhere').issue('foreign'),
    };
    const limits = { operations: ['GetDoctor', 'FB_Push_Details'], centers: [1] };
    const clients = [
      { name: 'near', networks: [`${IN}/32`, '::ffff:127.0.0.6/128'], ...limits },
      { name: 'keyed', apiKeyHash: await hashOf(KEY), ...limits },
      { name: 'named', username: 'desk', passwordHash: await hashOf(PASSWORD), ...limits },
      {
        name: 'certified',
        certificateFingerprint: [
          certificates.good.fingerprint,
          certificates.expired.fingerprint,
          certificates.foreign.fingerprint,
        ],
        ...limits,
      },
      {
        name: 'careful',
        networks: ['127.0.0.7'],
        apiKeyHash: await hashOf('careful.key'),
        username: 'careful',
        passwordHash: await hashOf('careful'),
        certificateFile: certificates.good.certFile,
        ...limits,
      },
      { name: 'soap-only', networks: ['127.0.0.8'], transports: ['soap11', 'soap12'] },
      { name: 'gentle', networks: ['127.0.0.11'], refusals: 'result' },
      { name: 'old', networks: ['127.0.0.12'], results: 'none' },
    ];
    const file = writeClients(clients);
    const tls = { TLS_CERT: server.certFile, TLS_KEY: server.keyFile, TLS_CLIENT_CA: issuer.certFile };
    service = await startService({ environment: { CLIENTS_FILE: file, HOST: '127.0.0.1', ...tls } });
    const behindProxy = { CLIENTS_FILE: file, TRUSTED_PROXIES: '127.0.0.2' };
    proxied = await startService({ environment: { ...behindProxy, PROXY_CLIENT_CERTIFICATES: 'true' } });
    plainProxied = await startService({ environment: behindProxy });
  });

  const send = (
    transport: Transport,
    caller: Caller,
    { operation = 'GetDoctor', centerid = 1, at = service, ...more } = {},
  ): Promise<SentAnswer> =>
    sendAs(requestOver(transport, at.endpoint, operation, { centerid, ...more }), caller, issuer.cert);

  function check(transport: Transport, { status, body, headers }: SentAnswer, expected: Expected): void {
    const wanted = transport === 'soap11' || transport === 'soap12' ? expected[transport] : expected.forms;
    expect(`${status} ${status === wanted ? '' : body}`).to.equal(`${wanted} `);
    if (transport.startsWith('soap') || expected.code.startsWith('<')) expect(body).to.include(expected.code);
    if (transport === 'soap11' && wanted !== 200) expect(body).to.include('<faultcode>soap:Client</faultcode>');
    if (transport === 'soap12' && wanted !== 200) expect(body).to.include('<soap:Value>soap:Sender</soap:Value>');
    const challenge = headers['www-authenticate'];
    if (expected === UNAUTHORIZED) expect(challenge).to.match(/^Basic realm="TPWebServices"/);
    else expect(challenge).to.equal(undefined);
  }

  const careful = { 'X-API-Key': 'careful.key', ...basic('careful', 'careful') };
  const near = (
    localAddress: string,
    headers?: Caller['headers'],
    certificate?: keyof typeof certificates,
  ): Caller => ({
    localAddress,
    ...(headers && { headers }),
    ...(certificate && { certificate: certificates[certificate] }),
  });
  const key = (value: string) => () => ({ headers: { 'X-API-Key': value } });
  const login = (name: string, password: string) => () => ({ headers: basic(name, password) });
  const authorization = (Authorization: string) => () => ({ headers: { Authorization } });
  const certificate = (name: keyof typeof certificates) => () => ({ certificate: certificates[name] });
  const WAYS: readonly WayIn[] = [
    { title: 'its network', right: () => near(IN), wrong: { 'another network': () => near(OUT) } },
    { title: 'its network, IPv4 written as IPv6', right: () => near('127.0.0.6'), wrong: {} },
    {
      title: 'an API key',
      right: key(KEY),
      wrong: {
        'a wrong key': key(`${KEY}0`),
        "a key with another client's name": key(KEY.replace('keyed', 'careful')),
        'a key with an unknown name': key('nobody.0123456789abcdef'),
        'a key without a name': key('0123456789abcdef'),
        'an empty key': key(''),
        'no key': () => ({}),
        'a wrong key from a permitted network': () => near(IN, { 'X-API-Key': 'keyed.no' }),
      },
    },
    {
      title: 'HTTP Basic',
      right: login('desk', PASSWORD),
      wrong: {
        'a wrong password': login('desk', 'password'),
        'an empty password': login('desk', ''),
        'a user name in another case': login('Desk', PASSWORD),
        'an unknown user': login('nobody', PASSWORD),
        'text that is not base64': authorization('Basic ???'),
        'no colon': authorization('Basic ZGVzaw=='),
        'another scheme': authorization('Bearer ZGVzaw=='),
        nothing: () => ({}),
        'a wrong password from a permitted network': () => near(IN, basic('desk', 'no')),
      },
    },
    {
      title: 'a client certificate',
      right: certificate('good'),
      wrong: {
        'a certificate of an unknown client': certificate('strange'),
        'an expired certificate': certificate('expired'),
        "another issuer's certificate": certificate('foreign'),
        'no certificate': () => ({}),
        "a proxy's header without a proxy": () => ({
          headers: { 'X-Client-Cert-Fingerprint': certificates.good.fingerprint },
        }),
      },
    },
    {
      title: 'network, key, Basic and certificate together',
      right: () => near('127.0.0.7', careful, 'good'),
      wrong: {
        'another network': () => near(OUT, careful, 'good'),
        'no certificate': () => near('127.0.0.7', careful),
        'a wrong certificate': () => near('127.0.0.7', careful, 'strange'),
        'no key': () => near('127.0.0.7', basic('careful', 'careful'), 'good'),
        'no password': () => near('127.0.0.7', { 'X-API-Key': 'careful.key' }, 'good'),
        "another client's password": () =>
          near('127.0.0.7', { 'X-API-Key': 'careful.key', ...basic('desk', PASSWORD) }, 'good'),
      },
    },
  ];

  for (const transport of TRANSPORTS) {
    describe(`over ${transport}`, () => {
      for (const { title, right, wrong } of WAYS) {
        it(`by ${title} allows only the client's operations and centers`, async () => {
          check(transport, await send(transport, right()), OK);
          check(transport, await send(transport, right(), { centerid: 2 }), NO_CENTER);
          check(transport, await send(transport, right(), { centerid: 999 }), NO_CENTER);
          check(
            transport,
            await send(transport, right(), { operation: 'Appointment_Status', AppointmentID: 1 } as never),
            FORBIDDEN,
          );
        });

        for (const [what, caller] of Object.entries(wrong)) {
          it(`rejects a caller that shows ${what} instead of ${title}`, async () => {
            check(transport, await send(transport, caller()), UNAUTHORIZED);
          });
        }
      }

      it('answers a client limited to SOAP over SOAP only', async () => {
        const expected = transport.startsWith('soap') ? OK : FORBIDDEN;
        check(transport, await send(transport, { localAddress: '127.0.0.8' }), expected);
      });

      it('answers a refusal in the form that is set for the client', async () => {
        const { status, body } = await send(transport, { localAddress: '127.0.0.11' }, { centerid: 999 });
        expect(status).to.equal(200);
        expect(body).to.include('<ResultCode>11</ResultCode>').and.not.include('Fault');
      });

      it('answers a success without its record, and a refusal as ever, if that is set for the client', async () => {
        const caller = { localAddress: '127.0.0.12' };
        const { status, body } = await send(transport, caller);
        expect(status).to.equal(200);
        if (transport.startsWith('soap')) expect(body).to.match(/<GetDoctorResponse xmlns="[^"]*" \/>/);
        else expect(body).to.equal('');
        expect((await send(transport, caller, { centerid: 999 })).body).to.include('<ResultCode>11</ResultCode>');
      });

      it('accepts the address and the certificate only from a trusted proxy', async () => {
        const from = (localAddress: string, headers: Caller['headers']) =>
          send(transport, { localAddress, ...(headers && { headers }) }, { at: proxied });
        const fingerprint = { 'X-Client-Cert-Fingerprint': certificates.good.fingerprint.toUpperCase() };
        check(transport, await from('127.0.0.2', { 'X-Forwarded-For': IN }), OK);
        check(transport, await from('127.0.0.2', fingerprint), OK);
        check(transport, await from('127.0.0.2', { 'X-Client-Cert': encodeURIComponent(certificates.good.cert) }), OK);
        const unbelieved = send(transport, { localAddress: '127.0.0.2', headers: fingerprint }, { at: plainProxied });
        check(transport, await unbelieved, UNAUTHORIZED);
        check(transport, await from(OUT, { 'X-Forwarded-For': IN }), UNAUTHORIZED);
        check(transport, await from(OUT, fingerprint), UNAUTHORIZED);
        // The client's own entry is to the left of what the proxy adds.
        check(transport, await from('127.0.0.2', { 'X-Forwarded-For': `${IN}, ${OUT}` }), UNAUTHORIZED);
        check(transport, await from('127.0.0.2', { Forwarded: `for=${IN}` }), UNAUTHORIZED);
      });

      it('answers a client about other centers byte for byte as about centers that do not exist', async () => {
        const foreign = await send(transport, near(IN), { centerid: 2 });
        const none = await send(transport, near(IN), { centerid: 3 });
        expect(plain(foreign.body).replaceAll('center 2', 'center 3')).to.equal(plain(none.body));
        // The same answer as for a caller that may use every center.
        const all = await send(transport, { localAddress: '127.0.0.8' }, { centerid: 3 });
        if (transport.startsWith('soap')) expect(plain(none.body)).to.equal(plain(all.body));
      });
    });
  }

  describe('apart from the transports', () => {
    it('is checked before a byte of the body is read', async () => {
      const { status } = await sendAs(
        { url: service.endpoint, method: 'POST', headers: { 'Content-Type': 'text/xml' }, body: '<!DOCTYPE a>' },
        {},
        issuer.cert,
      );
      expect(status).to.equal(401);
    });

    it('reports to the operator a correct secret from the wrong place, because it may be stolen', async () => {
      const { status } = await send('httpGet', { localAddress: OUT, headers: { 'X-API-Key': 'careful.key' } });
      expect(status).to.equal(401);
      const told = service.logLines
        .map((line) => JSON.parse(line))
        .filter(({ reason }) => reason === 'not all conditions of the entry');
      expect(told.find(({ msg }) => msg === 'login failed')).to.include({ client: 'careful', address: OUT });
    });

    it('leaves WSDL, pages and OpenAPI open, and logs reasons for rejections', async () => {
      for (const path of ['/TPWebServices.asmx?wsdl', '/TPWebServices.asmx', '/openapi.json']) {
        const answer = await sendAs({ url: service.baseUrl + path, method: 'GET', headers: {} }, {}, issuer.cert);
        expect(answer.status).to.equal(200);
        expect(answer.body).to.include(service.baseUrl);
      }
      const log = service.logLines.join('');
      for (const secret of [KEY, PASSWORD, 'nobody', '0123456789abcdef']) expect(log).to.not.include(secret);
      expect(log).to.include('"msg":"login failed"').and.include('"client":"named"');
    });
  });
});

/** An answer without the parts that always differ. */
const plain = (body: string): string => body.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID');
