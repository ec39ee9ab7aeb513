import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from 'chai';
import { requestOver, TRANSPORTS } from '../../support/http/four-transports.ts';
import { basic, sendAs } from '../../support/http/send-as.ts';
import { type RunningService, startService } from '../../support/process/start-service.ts';
import { gatewayAt } from '../messages/example-gateways.ts';
import { hashOf, sendToken, writeClients } from './known-clients.ts';
import { digestToken, type TokenParts, textToken, xmlTime } from './ws-security/security-header.ts';

const CANARY = /canary/i;
const CALLBACK_SECRET = 'canary-callback-secret';
const PASSWORD = 'canary of a password';
const NONCE = Buffer.from('canary nonce').toString('base64');

/** Headers with free text, with a canary in each. */
const HEADERS: readonly Readonly<Record<string, string>>[] = [
  basic('canary', 'canary'),
  basic('desk', 'canary'),
  { Authorization: 'Basic canary' },
  { Authorization: 'Canary canary' },
  { 'X-API-Key': 'canary' },
  { 'X-API-Key': 'canary.canary' },
  { 'X-API-Key': 'keyed.canary' },
  { 'X-Forwarded-For': 'canary' },
  { 'X-Forwarded-For': 'fe80::1%canary' },
  { 'X-Forwarded-Proto': 'canary' },
  { 'X-Client-Cert': 'canary' },
  { 'X-Client-Cert-Fingerprint': 'canary' },
];
/** The same in requests from a known client. */
const HEADERS_OF_A_CLIENT: readonly Readonly<Record<string, string>>[] = [
  { 'Idempotency-Key': 'canary' },
  { 'Idempotency-Key': 'canary canary' },
  { Origin: 'http://canary.example' },
  { Origin: 'http://canary.example', Host: 'canary.example' },
  { 'Sec-Fetch-Site': 'canary', Referer: 'http://canary.example/canary' },
  { 'User-Agent': 'canary', 'X-Correlation-Id': 'canary', Cookie: 'canary=canary' },
  { Accept: 'canary/canary', 'Content-Type': 'canary/canary' },
  { SOAPAction: '"canary"' },
];

describe('Secrets and names in the log, the audit and the metrics', () => {
  let clientsFile: string;
  let service: RunningService;

  before(async () => {
    const clients = [
      { name: 'desk', username: 'desk', passwordHash: await hashOf(PASSWORD) },
      { name: 'keyed', apiKeyHash: await hashOf('keyed.canary key') },
      { name: 'ward', username: 'ward', usernameToken: true, wsPasswordFile: 'ward.txt' },
    ];
    clientsFile = writeClients(clients, { 'ward.txt': PASSWORD });
    service = await startService({
      environment: {
        CLIENTS_FILE: clientsFile,
        TRUSTED_PROXIES: '127.0.0.1',
        LOG_LEVEL: 'debug',
        SMS_GATEWAY: `http:${gatewayAt(dirname(clientsFile), 'http://127.0.0.1:9/canary')}`,
        SMS_USERNAME: 'canary',
        SMS_PASSWORD: 'canary',
        SMS_CALLBACK_SECRET: CALLBACK_SECRET,
      },
    });
  });

  const send = (headers: Readonly<Record<string, string>>, transport: (typeof TRANSPORTS)[number] = 'httpPost') =>
    sendAs(requestOver(transport, service.endpoint, 'GetDoctor', { centerid: 2 }), { headers });

  const sendOverTls = (token: TokenParts) =>
    sendToken(service.endpoint, token, { headers: { 'X-Forwarded-Proto': 'https' } });

  async function expectNoCanary(): Promise<void> {
    expect(service.logLines.length).to.be.above(0);
    expect(service.logLines.filter((line) => CANARY.test(line))).to.deep.equal([]);
    const rows = await service.store.read(({ audit }) => audit.page({}));
    expect(rows.filter((row) => CANARY.test(JSON.stringify(row)))).to.deep.equal([]);
    expect(await service.metrics.registry.metrics()).to.not.match(CANARY);
  }

  for (const transport of TRANSPORTS) {
    it(`are not written for any header over ${transport}`, async () => {
      for (const headers of HEADERS) expect((await send(headers, transport)).status).to.equal(401);
      for (const headers of HEADERS_OF_A_CLIENT) {
        const { status } = await send({ ...headers, ...basic('desk', PASSWORD) }, transport);
        expect(status, JSON.stringify(headers)).to.be.oneOf([200, 400, 403, 415, 421, 500]);
      }
      await expectNoCanary();
    });
  }

  it('are not written for any token', async () => {
    const created = xmlTime(service.clock.now);
    const tokens = [
      digestToken('ward', PASSWORD, NONCE, created),
      digestToken('ward', PASSWORD, NONCE, created),
      digestToken('ward', 'canary', NONCE, created),
      digestToken('canary', 'canary', NONCE, created),
      { ...digestToken('ward', 'canary', NONCE, created), created: 'canary' },
      { ...digestToken('ward', 'canary', NONCE, created), nonce: 'canary' },
      { ...digestToken('ward', 'canary', NONCE, created), type: 'canary' },
      textToken('ward', 'canary'),
      textToken('canary', 'canary'),
    ];
    const [first, ...others] = await Promise.all(tokens.slice(0, 1).map(sendOverTls));
    expect([first?.status, others.length]).to.deep.equal([200, 0]);
    for (const token of tokens.slice(1)) expect((await sendOverTls(token)).status).to.equal(500);
    await expectNoCanary();
  });

  it('are not written for any status callback, with or without the secret', async () => {
    const { baseUrl } = service;
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    for (const path of [CALLBACK_SECRET, 'canary', `${CALLBACK_SECRET}0`]) {
      const url = `${baseUrl}/sms/status/${path}?id=canary&status=canary&text=canary`;
      const expected = path === CALLBACK_SECRET ? 200 : 404;
      for (const request of [
        { url, method: 'GET', headers: {} },
        { url, method: 'POST', headers: form, body: 'id=canary&status=1&message=canary' },
        { url: url.replace('id=canary&status=canary', 'id=12&status=1'), method: 'GET', headers: {} },
      ] as const) {
        expect((await sendAs(request)).status).to.equal(expected);
      }
    }
    await expectNoCanary();
  });

  it('are not written for an invalid clients file that is read again', async () => {
    const texts = [
      '{"clients": canary}',
      JSON.stringify({ 'desk.canary': 'canary' }),
      JSON.stringify({ clients: ['canary'] }),
      JSON.stringify({
        clients: [
          {
            name: 'canary canary',
            networks: ['canary'],
            apiKeyHash: 'canary',
            username: 'canary:',
            passwordHash: 'canary',
          },
          { name: 'x', operations: ['canary'], transports: ['canary'], centers: ['canary'], refusals: 'canary' },
          { name: 'y', certificateFingerprint: 'canary', ratePerMinute: 'canary', wsPasswordFile: 'canary.txt' },
          { name: 'z', apiKeyHash: 'scrypt$canary', 'z.canary': 1 },
        ],
      }),
    ];
    for (const text of texts) {
      writeFileSync(clientsFile, text);
      service.reloadClients();
    }
    expect(service.logLines.filter((line) => line.includes('clients file has mistakes'))).to.have.length(texts.length);
    await expectNoCanary();
  });
});
