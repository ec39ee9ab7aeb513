import { connect } from 'node:net';
import { expect } from 'chai';
import { STATUS_PATH } from '../../../src/messages/gateways/gateway.ts';
import { requestOver, TRANSPORTS } from '../../support/http/four-transports.ts';
import { parseAnswer, rawExchange } from '../../support/http/raw-exchange.ts';
import { basic, sendAs } from '../../support/http/send-as.ts';
import { type RunningService, startService } from '../../support/process/start-service.ts';
import { hashOf, sendToken, writeClients } from './known-clients.ts';
import { digestToken, xmlTime } from './ws-security/security-header.ts';

const PASSWORD = 'correct horse';

const UNKNOWN_APPOINTMENT = {
  AppointmentID: 999_999,
  type: 6,
  appdate: '2026-11-23',
  apptime: '10:15',
  centerid: 1,
};
/** A gateway address on which nothing listens, so that nothing is sent. */
const KANNEL = {
  SMS_GATEWAY: 'http:kannel',
  SMS_USERNAME: 'user',
  SMS_PASSWORD: 'password',
  SMS_SENDER: 'HOSPTL',
};
const PAGE = 'https://pages.example.org';
const PREFLIGHT = { method: 'OPTIONS', headers: { Origin: PAGE, 'Access-Control-Request-Method': 'GET' } };

describe('A service with a rate limit', () => {
  let CLIENTS_FILE: string;
  before(async () => {
    const clients = [
      { name: 'desk', username: 'desk', passwordHash: await hashOf(PASSWORD), ratePerMinute: 4 },
      { name: 'ward', username: 'ward', wsPasswordFile: 'ward.txt', usernameToken: true, ratePerMinute: 3 },
    ];
    CLIENTS_FILE = writeClients(clients, { 'ward.txt': PASSWORD });
  });

  const start = (environment: Readonly<Record<string, string>>): Promise<RunningService> =>
    startService({ environment: { TRUSTED_PROXIES: '127.0.0.1', ...environment } });
  const from = (address: string) => ({ 'X-Forwarded-For': address });
  const ask = async (
    { endpoint }: RunningService,
    headers: Readonly<Record<string, string>>,
    transport: (typeof TRANSPORTS)[number] = 'httpPost',
  ) => (await sendAs(requestOver(transport, endpoint, 'GetDoctor', { centerid: 2 }), { headers })).status;
  const auditOf = async ({ store }: RunningService) =>
    (await store.read(({ audit }) => audit.page({}))).map(({ client, operation, errorCode }) => [
      client,
      operation,
      errorCode,
    ]);
  /** Waits until the audit, which is written in the background, has the expected rows. */
  const audited = async (running: RunningService, count: number) => {
    for (let turn = 0; turn < 500 && (await auditOf(running)).length < count; turn++) await new Promise(setImmediate);
    return auditOf(running);
  };

  it('counts all transports together, and each address separately', async () => {
    const limited = await start({ RATE_LIMIT: '4' });
    for (const transport of TRANSPORTS) expect(await ask(limited, from('10.0.0.7'), transport)).to.equal(200);
    for (const transport of TRANSPORTS) expect(await ask(limited, from('10.0.0.7'), transport)).to.equal(429);
    expect(await ask(limited, from('10.0.0.8'))).to.equal(200);
  });

  it('reports to the operator which address sent too many requests, and which one sent no credentials', async () => {
    const limited = await start({ RATE_LIMIT: '1', CLIENTS_FILE });
    expect(await ask(limited, from('10.0.0.7'))).to.equal(401);
    expect(await ask(limited, from('10.0.0.7'))).to.equal(429);
    const lines = limited.logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'call rejected');
    expect(lines.map(({ code, reason, address }) => ({ code, reason, address }))).to.deep.equal([
      { code: 'Unauthorized', reason: 'no valid credentials or address', address: '10.0.0.7' },
      { code: 'TooManyRequests', reason: 'rate', address: '10.0.0.7' },
    ]);
  });

  it('limits addresses other than this machine to 6000 requests per minute by default', async () => {
    const limited = await start({});
    const flood = async (address: string) => {
      const socket = connect(limited.port, '127.0.0.1');
      const answers = socket.setEncoding('latin1')[Symbol.asyncIterator]();
      const statuses: string[] = [];
      // The service reads no more than 16 at a time from one connection.
      for (let sent = 16; sent <= 6000; sent += 16) {
        socket.write(`GET /nothing HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${address}\r\n\r\n`.repeat(16));
        while (statuses.length < sent) statuses.push(...((await answers.next()).value.match(/^HTTP\/1.1 \d+/gm) ?? []));
      }
      socket.destroy();
      return new Set(statuses);
    };
    expect(await flood('10.0.0.7')).to.deep.equal(new Set(['HTTP/1.1 404']));
    expect(await ask(limited, from('10.0.0.7'))).to.equal(429);
    expect(await ask(limited, {})).to.equal(200);
  });

  it('trusts no address that a caller makes up', async () => {
    const direct = await startService({ environment: { RATE_LIMIT: '1' } });
    expect(await ask(direct, from('10.0.0.7'))).to.equal(200);
    expect(await ask(direct, from('10.0.0.8'))).to.equal(429);
  });

  it('warns once of a proxy on this machine that is not trusted, behind which callers have no limit', async () => {
    const warnings = () =>
      limited.logLines.filter((line) => line.includes('a proxy on this machine is not in TRUSTED_PROXIES'));
    const limited = await start({ TRUSTED_PROXIES: '10.0.0.1' });
    await ask(limited, {});
    expect(warnings()).to.have.length(0);
    for (const header of ['X-Forwarded-For', 'Forwarded', 'Via']) await ask(limited, { [header]: 'for=10.0.0.7' });
    expect(warnings()).to.have.length(1);
    const trusting = await start({});
    await ask(trusting, from('10.0.0.7'));
    expect(trusting.logLines.join('')).not.to.include('is not in TRUSTED_PROXIES');
  });

  it('gives a known client its own rate, whatever others do at the same address', async () => {
    const limited = await start({ RATE_LIMIT: '1', CLIENTS_FILE });
    const here = from('10.0.0.7');
    expect(await ask(limited, here)).to.equal(401);
    expect(await ask(limited, here)).to.equal(429);
    expect(await ask(limited, { ...here, ...basic('desk', 'wrong') })).to.equal(429);
    const desk = { ...here, ...basic('desk', PASSWORD) };
    for (let n = 0; n < 4; n++) expect(await ask(limited, desk)).to.equal(200);
    expect(await ask(limited, desk)).to.equal(429);
    expect(await ask(limited, { ...desk, ...from('10.0.0.9') }), 'from elsewhere').to.equal(429);
  });

  it('counts a client by the name in its UsernameToken, and wrong tokens by their address', async () => {
    const limited = await start({ RATE_LIMIT: '2', CLIENTS_FILE });
    let nonces = 0;
    const withToken = (address: string, password: string) => {
      const nonce = Buffer.from(`nonce-${String(++nonces).padStart(6, '0')}`).toString('base64');
      const token = digestToken('ward', password, nonce, xmlTime(limited.clock.now));
      return sendToken(limited.endpoint, token, { headers: from(address) });
    };
    for (let n = 0; n < 3; n++) expect((await withToken('10.0.0.7', PASSWORD)).status).to.equal(200);
    const fourth = await withToken('10.0.0.7', PASSWORD);
    expect(fourth.status).to.equal(429);
    expect(fourth.body).to.include('More than 3 requests');
    for (let n = 0; n < 2; n++) expect((await withToken('10.0.0.8', 'wrong')).body).to.include('FailedAuthentication');
    const third = await withToken('10.0.0.8', 'wrong');
    expect(third.body).to.include('More than 2 requests');
  });

  for (const [what, path, init] of [
    ['404', '/nothing', {}],
    ['an address that cannot be read', '/TPWebServices.asmx/%zz', {}],
    ['405', '/TPWebServices.asmx', { method: 'PUT' }],
    ['405 of the forms', '/TPWebServices.asmx/GetDoctor', { method: 'DELETE' }],
    ['415', '/TPWebServices.asmx', { method: 'POST', body: 'x' }],
    [
      '413',
      '/TPWebServices.asmx',
      { method: 'POST', body: 'x'.repeat(70_000), headers: { 'Content-Type': 'text/xml' } },
    ],
    ['the redirection', '/', {}],
    ['readiness', '/readyz', {}],
    ['what a browser asks before a call', '/openapi.json', PREFLIGHT],
    [
      'a refused encoding',
      '/TPWebServices.asmx/GetDoctor',
      { method: 'POST', body: 'x', headers: { 'Content-Encoding': 'gzip' } },
    ],
  ] as const satisfies readonly (readonly [string, string, RequestInit])[]) {
    for (const clients of ['with', 'without']) {
      it(`counts ${what} like a call, ${clients} clients`, async () => {
        const known = clients === 'with' ? { CLIENTS_FILE } : {};
        const limited = await start({ RATE_LIMIT: '2', CORS_ORIGINS: PAGE, ...known });
        const statuses: number[] = [];
        for (let n = 0; n < 3; n++) {
          const answer = await fetch(limited.baseUrl + path, { redirect: 'manual', ...init });
          await answer.arrayBuffer();
          statuses.push(answer.status);
        }
        expect(statuses.map((status) => status === 429)).to.deep.equal([false, false, true]);
        expect(await ask(limited, {})).to.equal(429);
        expect((await fetch(`${limited.baseUrl}/healthz`)).status).to.equal(200);
      });
    }
  }

  it('counts status callbacks', async () => {
    const secret = 'callback-secret-0001';
    const limited = await start({ RATE_LIMIT: '2', SMS_CALLBACK_SECRET: secret, ...KANNEL });
    const statuses: number[] = [];
    for (let n = 0; n < 3; n++) statuses.push((await fetch(`${limited.baseUrl}${STATUS_PATH}/${secret}?x=1`)).status);
    expect(statuses).to.deep.equal([200, 200, 429]);
  });

  for (const [what, request, status, sentence] of [
    ['requests without a Host', 'GET / HTTP/1.1\r\n\r\n', 400, 'The Host header is missing'],
    ['requests with two Hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400, 'The header Host is given twice'],
    ['text that is not HTTP', 'HELLO\r\n\r\n', 400, 'The request is not valid HTTP'],
    [
      'the PROXY protocol',
      'PROXY TCP4 10.0.0.1 10.0.0.2 56324 443\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n',
      400,
      'The connection begins with the PROXY protocol',
    ],
    [
      'its second version',
      '\r\n\r\n\0\r\nQUIT\n!\x11\0\f\x7f\0\0\x01\x7f\0\0\x01\0\x50\x01\xbbGET / HTTP/1.1\r\nHost: a\r\n\r\n',
      400,
      'The connection begins with the PROXY protocol',
    ],
    ['addresses beyond ASCII', 'GET /\u00e9 HTTP/1.1\r\nHost: a\r\n\r\n', 404, 'There is nothing here'],
    [
      'addresses beyond ASCII of forms',
      'POST /\u00e9 HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n',
      400,
      'The address in the request line',
    ],
    [
      'masses of headers',
      `GET / HTTP/1.1\r\nHost: a\r\n${'X:\r\n'.repeat(100)}\r\n`,
      431,
      'The request has over 100 headers',
    ],
    ['large headers', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`, 431, 'larger than 16 KiB'],
  ] as const) {
    it(`counts and logs ${what}`, async () => {
      const limited = await start({ RATE_LIMIT: '2', TRUSTED_PROXIES: '' });
      for (const expected of [status, status, 429]) {
        const answer = await rawExchange(limited.port, request);
        expect([answer.status, answer.headers.connection]).to.deep.equal([expected, 'close']);
        expect(answer.body.toString()).to.include(expected === 429 ? 'More than 2 requests' : sentence);
        expect(limited.logLines.at(-1)).to.include(`"correlationId":"${answer.headers['x-correlation-id']}"`);
      }
      expect(await ask(limited, {})).to.equal(429);
    });
  }

  it('leaves a trusted proxy its own health checks, however many broken requests its callers send', async () => {
    const limited = await start({ RATE_LIMIT: '2' });
    const masses = `GET / HTTP/1.1\r\nHost: a\r\n${'X:\r\n'.repeat(100)}X-Forwarded-For: 10.0.0.7\r\n\r\n`;
    for (const expected of [431, 431, 429]) expect((await rawExchange(limited.port, masses)).status).to.equal(expected);
    expect((await fetch(`${limited.baseUrl}/readyz`)).status).to.equal(200);
    expect(limited.logLines.join('')).not.to.include('"address":"127.0.0.1"');
  });

  it('rejects a call before it has received the body', async () => {
    const limited = await start({ RATE_LIMIT: '1' });
    expect(await ask(limited, {})).to.equal(200);
    const socket = connect(limited.port, '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.write(
      'POST /TPWebServices.asmx HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/xml\r\nContent-Length: 60000\r\n\r\n<',
    );
    await new Promise((resolve) => socket.once('data', resolve));
    const { status, headers } = parseAnswer(Buffer.concat(chunks));
    expect(status).to.equal(429);
    expect(Number(headers['retry-after'])).to.be.within(1, 60);
    socket.destroy();
  });

  it('audits callers above their rate, by name if it is known, up to 120 per minute of each kind', async () => {
    const limited = await start({ RATE_LIMIT: '1', CLIENTS_FILE });
    for (let n = 0; n < 4; n++) await ask(limited, basic('desk', PASSWORD));
    await ask(limited, basic('desk', PASSWORD));
    await ask(limited, from('10.0.0.7'));
    for (let n = 0; n < 130; n++) await ask(limited, from('10.0.0.7'));
    await ask(limited, from('10.0.0.8'));
    const rows = await audited(limited, 122);
    expect(rows[0]).to.deep.equal(['desk', null, 'TooManyRequests']);
    expect(rows.filter(([, , code]) => code === 'TooManyRequests')).to.have.length(120);
    expect(rows.filter(([client, , code]) => client === 'anonymous' && code === 'Unauthorized')).to.have.length(2);
    limited.clock.now += 60_000;
    for (let n = 0; n < 2; n++) await ask(limited, from('10.0.0.7'));
    expect(limited.logLines.join('')).to.match(/"code":"TooManyRequests","count":11,"msg":"refusals not audited"/);
  });

  it('writes 600 rejections per minute of one network to the audit and the log, counts the rest, and still writes those of another network', async () => {
    const open = await start({ LOG_LEVEL: 'info' });
    const refused = (address: string) =>
      sendAs(requestOver('httpPost', open.endpoint, 'Appointment_Status_Updates', UNKNOWN_APPOINTMENT), {
        headers: from(address),
      });
    expect((await refused('10.0.0.7')).status).to.equal(404);
    for (let n = 0; n < 20; n++) await Promise.all(Array.from({ length: 50 }, () => refused('10.0.0.7')));
    await refused('10.0.0.8');
    expect(await auditOf(open)).to.have.length(601);
    expect(open.logLines.filter((line) => line.includes('"msg":"call"'))).to.have.length(601);
    open.clock.now += 60_000;
    await refused('10.0.0.8');
    const rows = await audited(open, 603);
    expect(rows).to.have.length(603);
    expect(rows.filter(([, operation]) => operation === null)).to.deep.equal([
      ['anonymous', null, '401 more refusals'],
    ]);
    const told = open.logLines.filter((line) => line.includes('"msg":"refusals not recorded individually"'));
    expect(told.map((line) => JSON.parse(line).count)).to.deep.equal([401]);
  });

  it('audits attempts from pages of other sites, with the operation', async () => {
    const open = await start({});
    const evil = { Origin: 'http://evil.example' };
    for (const transport of TRANSPORTS) {
      const booking = requestOver(transport, open.endpoint, 'FB_Push_Details', {
        ipno: 'IP-1',
        roomno: '1',
        moblieno: '',
        dept: 'ENT',
        needsimprovementcommit: '',
      });
      expect((await sendAs(booking, { headers: evil })).status).to.equal(403);
    }
    expect(await ask(open, { ...evil, Host: 'evil.example' })).to.equal(421);
    expect(await audited(open, 5)).to.deep.equal([
      ...TRANSPORTS.map(() => ['anonymous', 'FB_Push_Details', 'CrossSite']),
      ['anonymous', 'GetDoctor', 'MisdirectedRequest'],
    ]);
  });
});
