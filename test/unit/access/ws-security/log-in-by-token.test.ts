import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { SOAP_11, SOAP_12, type SoapVersion } from '../../../../src/transports/soap/soap-versions.ts';
import { envelope } from '../../../support/http/soap-request.ts';
import { type RunningService, startService, TEST_NOW } from '../../../support/process/start-service.ts';
import { hashOf, writeClients } from '../known-clients.ts';
import { digestToken, securityHeader, type TokenParts, textToken, usernameToken, xmlTime } from './security-header.ts';

const VERSIONS = [SOAP_11, SOAP_12];
const PASSWORD = 'Wärd 3 & <sons>';
/** The same, escaped for XML. */
const ESCAPED = 'Wärd 3 &amp; &lt;sons&gt;';
const SECOND = 1000;
const CREATED = xmlTime(TEST_NOW);
/** Longer than a failed login is counted. */
const FORGOTTEN = 16 * 60 * SECOND;

let nonces = 0;
const newNonce = (): string => Buffer.from(`nonce ${String(++nonces).padStart(10, '0')}`).toString('base64');
const digest = (username = 'ward', password = PASSWORD, created = CREATED): TokenParts =>
  digestToken(username, password, newNonce(), created);
const header = (...tokens: readonly TokenParts[]): string =>
  securityHeader(tokens.map(usernameToken).join(''), 'soap:mustUnderstand="1"');

/** A summary of an answer: its status, and the fault code of WS-Security or our own, or OK. */
interface Seen {
  readonly status: number;
  readonly outcome: string;
  readonly body: string;
  readonly headers: Headers;
}

async function post(
  { endpoint }: RunningService,
  security: string,
  {
    version = SOAP_11,
    headers = {},
    body = '',
  }: { version?: SoapVersion; headers?: Record<string, string>; body?: string } = {},
): Promise<Seen> {
  const content = body || '<GetDoctor xmlns="http://tempuri.org/"><centerid>1</centerid></GetDoctor>';
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'Content-Type': version.contentType, ...headers },
    body: envelope(version, content, security),
  });
  const text = await response.text();
  const code = /wsse:(\w+)</.exec(text)?.[1] ?? /<Code>(\w+)</.exec(text)?.[1];
  const outcome = code ?? (/Fault/.test(text) ? (/soap:(\w+)</.exec(text)?.[1] ?? '?') : 'OK');
  return { status: response.status, outcome, body: text, headers: response.headers };
}

const OVER_TLS = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': '10.0.0.7' };

describe('Login by UsernameToken', () => {
  let CLIENTS_FILE: string;
  let service: RunningService;
  const start = (environment: Readonly<Record<string, string>> = {}): Promise<RunningService> =>
    startService({ environment: { CLIENTS_FILE, TRUSTED_PROXIES: '127.0.0.1', ...environment } });
  const seenOf = async (security: string, more: Parameters<typeof post>[2] = {}, at = service): Promise<string> => {
    const { status, outcome } = await post(at, security, more);
    return `${status} ${outcome}`;
  };
  const lastReason = (at = service): unknown =>
    at.logLines
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === 'call rejected')
      .at(-1)?.reason;

  before(async () => {
    const passwordHash = await hashOf(PASSWORD);
    const token = { usernameToken: true, passwordHash, wsPasswordFile: 'ward.txt' };
    const clients = [
      { name: 'ward', username: 'ward', ...token },
      { name: 'far', username: 'far', networks: ['192.0.2.0/24'], ...token },
      { name: 'text', username: 'text', passwordHash, usernameToken: true },
      { name: 'basic', username: 'basic', passwordHash },
      { name: 'two', username: 'two', centers: [2], ...token },
      { name: 'lists', username: 'lists', centers: [1], operations: ['GetDoctor'], ...token },
      { name: 'forms', username: 'forms', transports: ['httpGet', 'httpPost'], ...token },
    ];
    CLIENTS_FILE = writeClients(clients, { 'ward.txt': `${PASSWORD}\n` });
  });
  beforeEach(async () => {
    service = await start();
  });

  it('admits a caller that knows the password, as a digest or, over TLS, as text, in both versions', async () => {
    for (const version of VERSIONS) {
      expect(await seenOf(header(digest()), { version })).to.equal('200 OK');
      const text = header(textToken('ward', ESCAPED));
      expect(await seenOf(text, { version, headers: OVER_TLS })).to.equal('200 OK');
      expect(await seenOf(text.replace('soap:mustUnderstand="1"', ''), { version, headers: OVER_TLS })).to.equal(
        '200 OK',
      );
    }
  });

  for (const version of VERSIONS) {
    for (const type of ['digest', 'text'] as const) {
      const tokenOf = (username: string, { right = true, created = CREATED } = {}): TokenParts => {
        if (type === 'digest') return digest(username, right ? PASSWORD : 'wrong', created);
        return { ...textToken(username, right ? ESCAPED : 'wrong'), nonce: newNonce(), created };
      };
      const outcomeOf = (security: string, body = '') => seenOf(security, { version, body, headers: OVER_TLS });
      const getDoctor = (centerid: number) =>
        `<GetDoctor xmlns="http://tempuri.org/"><centerid>${centerid}</centerid></GetDoctor>`;

      it(`answers a ${type} in ${version.name}: right, wrong, missing, expired, replayed, or sent from elsewhere`, async () => {
        const right = header(tokenOf('lists'));
        expect(await outcomeOf(right), 'right').to.equal('200 OK');
        expect(await outcomeOf(right), 'replayed').to.equal('500 FailedAuthentication');
        expect(await outcomeOf(header(tokenOf('lists', { right: false }))), 'wrong').to.equal(
          '500 FailedAuthentication',
        );
        expect(await outcomeOf(''), 'missing').to.equal('401 Unauthorized');
        expect(
          await outcomeOf(header(tokenOf('lists', { created: xmlTime(TEST_NOW - 301 * SECOND) }))),
          'expired',
        ).to.equal('500 FailedAuthentication');
        for (const center of [2, 999]) {
          const { body } = await post(service, header(tokenOf('lists')), {
            version,
            body: getDoctor(center),
            headers: OVER_TLS,
          });
          expect(body, 'other center').to.include(`there is no center ${center}.`).and.include('<ResultCode>11<');
        }
        const appointmentStatus =
          '<Appointment_Status xmlns="http://tempuri.org/"><AppointmentID>1</AppointmentID><centerid>1</centerid></Appointment_Status>';
        expect(await outcomeOf(header(tokenOf('lists')), appointmentStatus), 'other operation').to.equal(
          '403 Forbidden',
        );
        expect(await outcomeOf(header(tokenOf('forms'))), 'other transport').to.equal('403 Forbidden');
      });
    }
  }

  it('names the caller in the audit; with a wrong token, the caller stays anonymous', async () => {
    const body =
      '<OPAppointmentdetail xmlns="http://tempuri.org/"><doctorid>101</doctorid><appdate>2026-11-20T00:00:00</appdate><centerid>1</centerid></OPAppointmentdetail>';
    expect(await seenOf(header(digest()), { body })).to.equal('200 OK');
    await seenOf(header(digest('ward', 'wrong')), { body });
    await service.budgets.reportEnded(true);
    const rows = await service.store.read(({ audit }) => audit.page({}));
    expect(rows.map(({ client, errorCode }) => [client, errorCode])).to.have.deep.members([
      ['ward', '1 read'],
      ['anonymous', 'Unauthorized'],
    ]);
  });

  it('answers WS-Security faults with 500, without a challenge', async () => {
    for (const version of VERSIONS) {
      const seen = await post(service, header(digest('ward', 'wrong')), { version });
      expect([seen.status, seen.outcome]).to.deep.equal([500, 'FailedAuthentication']);
      expect(seen.headers.get('WWW-Authenticate')).to.equal(null);
      expect(seen.headers.get('X-Correlation-Id')).to.match(/^0{8}-/);
      expect(seen.body).to.not.match(/ward|password|nonce/i);
    }
  });

  it('gives the same answer to a wrong password, an unknown user, an old message and a repeated one', async () => {
    const bodies = new Set<string>();
    const sent = (now: number) => header(digestToken('ward', PASSWORD, 'b25lIG5vbmNlIDE=', xmlTime(now)));
    for (const [security, reason] of [
      [sent, 'ws-nonce-replayed'],
      [(now) => header(digest('ward', 'wrong', xmlTime(now))), 'ws-wrong-password'],
      [(now) => header(digest('nobody', PASSWORD, xmlTime(now))), 'ws-unknown-user'],
      [(now) => header(digest('basic', PASSWORD, xmlTime(now))), 'ws-unknown-user'],
      [(now) => header(digest('text', PASSWORD, xmlTime(now))), 'ws-no-password-for-digests'],
      [(now) => header(digest('ward', PASSWORD, xmlTime(now - 301 * SECOND))), 'ws-created-stale'],
      [(now) => header(digest('ward', PASSWORD, xmlTime(now + 301 * SECOND))), 'ws-created-future'],
    ] as const satisfies readonly (readonly [(now: number) => string, string])[]) {
      if (security === sent) await post(service, sent(service.clock.now));
      const { status, body } = await post(service, security(service.clock.now));
      expect([status, lastReason()]).to.deep.equal([500, reason]);
      bodies.add(body);
      service.clock.now += FORGOTTEN;
    }
    expect(bodies.size).to.equal(1);
  });

  it("accepts no password as text without TLS, whatever the client's settings", async () => {
    expect(await seenOf(header(textToken('ward', ESCAPED)))).to.equal('500 InvalidSecurityToken');
    expect(lastReason()).to.equal('ws-text-without-tls');
    const direct = await start({ TRUSTED_PROXIES: '' });
    expect(await seenOf(header(textToken('ward', ESCAPED)), { headers: OVER_TLS }, direct)).to.equal(
      '500 InvalidSecurityToken',
    );
  });

  it('refuses a wrong password as text', async () => {
    for (const user of ['ward', 'nobody']) {
      const seen = await seenOf(header(textToken(user, 'wrong')), { headers: OVER_TLS });
      expect(seen).to.equal('500 FailedAuthentication');
    }
  });

  it('accepts a message only once, whichever process receives it', async () => {
    const file = { DATABASE_URL: `sqlite:${join(dirname(CLIENTS_FILE), 'shared.db')}` };
    const [one, other] = [await start(file), await start(file)];
    const sent = header(digest());
    expect(await seenOf(sent, {}, one)).to.equal('200 OK');
    expect(await seenOf(sent, {}, other)).to.equal('500 FailedAuthentication');
    const racing = header(digest());
    const answers = await Promise.all([one, other].map((at) => seenOf(racing, {}, at)));
    expect(answers.toSorted()).to.deep.equal(['200 OK', '500 FailedAuthentication']);
  });

  it('accepts a message whose clock differs by five minutes, and no more', async () => {
    for (const apart of [-300 * SECOND, 300 * SECOND]) {
      expect(await seenOf(header(digest('ward', PASSWORD, xmlTime(TEST_NOW + apart))))).to.equal('200 OK');
      const further = xmlTime(TEST_NOW + apart + Math.sign(apart) * SECOND);
      expect(await seenOf(header(digest('ward', PASSWORD, further)))).to.equal('500 FailedAuthentication');
    }
  });

  it('refuses two tokens, and two headers', async () => {
    expect(await seenOf(header(digest(), digest()))).to.equal('500 InvalidSecurity');
    expect(await seenOf(header(digest()) + header(digest()))).to.equal('500 InvalidSecurity');
  });

  it('asks a caller without credentials to log in before it reports any other error', async () => {
    for (const body of ['', '<Nothing/>', '<GetDoctor']) {
      const seen = await post(service, '', { body });
      expect([seen.status, seen.outcome]).to.deep.equal([401, 'Unauthorized']);
      expect(seen.headers.get('WWW-Authenticate')).to.match(/^Basic /);
    }
    expect(await seenOf(header(digest('ward', 'wrong')), { body: '<Nothing/>' })).to.equal('500 FailedAuthentication');
    expect(await seenOf(header(digest()), { body: '<Nothing/>' })).to.equal('500 UnexpectedElement');
  });

  it('ignores a header for another node', async () => {
    const other = securityHeader(usernameToken(digest()), 'soap:actor="urn:other"');
    expect(await seenOf(other)).to.equal('401 Unauthorized');
    expect(await seenOf(other + header(digest()))).to.equal('200 OK');
  });

  it("also requires the client's other credentials", async () => {
    const far = () => header(digest('far'));
    expect(await seenOf(far())).to.equal('401 Unauthorized');
    expect(await seenOf(far(), { headers: { 'X-Forwarded-For': '192.0.2.9' } })).to.equal('200 OK');
  });

  it('limits a client to its centers', async () => {
    const body = '<GetDoctor xmlns="http://tempuri.org/"><centerid>2</centerid></GetDoctor>';
    expect(await seenOf(header(digest('two')), { body })).to.equal('200 OK');
    expect((await post(service, header(digest('two')))).body).to.include('<ResultCode>11<');
  });

  it('checks a token even if the caller is identified without it', async () => {
    const headers = { Authorization: `Basic ${Buffer.from(`basic:${PASSWORD}`).toString('base64')}` };
    expect(await seenOf('', { headers })).to.equal('200 OK');
    expect(await seenOf(header(digest('ward', 'wrong')), { headers })).to.equal('500 FailedAuthentication');
    expect(await seenOf(header(digest()), { headers })).to.equal('200 OK');
    const own = { Authorization: `Basic ${Buffer.from(`ward:${PASSWORD}`).toString('base64')}` };
    expect(await seenOf(header(digest()), { headers: own })).to.equal('200 OK');
  });

  it('does not apply to the forms', async () => {
    const response = await fetch(`${service.endpoint}/GetDoctor`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: `centerid=1&Security=${encodeURIComponent(header(digest()))}`,
    });
    expect(response.status).to.equal(401);
  });

  it('is off unless a client uses it: a Security header that must be understood then causes a fault', async () => {
    const open = await startService();
    expect(await seenOf(header(digest()), {}, open)).to.equal('500 MustUnderstand');
    expect(await seenOf(securityHeader(usernameToken(digest('nobody'))), {}, open)).to.equal('200 OK');
    const basicOnly = await start({
      CLIENTS_FILE: writeClients([{ name: 'basic', username: 'basic', passwordHash: await hashOf(PASSWORD) }]),
    });
    expect(await seenOf(header(digest('basic')), {}, basicOnly)).to.equal('401 Unauthorized');
  });

  it('writes no password, digest, nonce or user name to the log', async () => {
    const token = digest('nobody', PASSWORD);
    await post(service, header(token));
    await post(service, header(textToken('nobody', ESCAPED)), { headers: OVER_TLS });
    const log = service.logLines.join('\n');
    for (const secret of [PASSWORD, 'nobody', token.nonce ?? '', token.password ?? ''])
      expect(log).to.not.include(secret);
  });
});
