import { expect } from 'chai';
import { requestOver, TRANSPORTS } from '../../support/http/four-transports.ts';
import { basic, sendAs } from '../../support/http/send-as.ts';
import { type RunningService, startService } from '../../support/process/start-service.ts';
import { hashOf, sendToken, writeClients } from './known-clients.ts';
import { digestToken, xmlTime } from './ws-security/security-header.ts';

const NEAR = '127.0.0.5';
const FEEDBACK = { ipno: 'IP-1', roomno: '1', moblieno: '', dept: 'ENT', needsimprovementcommit: '' };
/** A foreign page can have its name resolve to the service's address. */
const FOREIGN = { Host: 'his.example.org' };

describe('A host name with a dot that is not listed', () => {
  let service: RunningService;
  before(async () => {
    const clients = [
      { name: 'near', networks: [NEAR] },
      { name: 'keyed', apiKeyHash: await hashOf('keyed.0123456789abcdef') },
      { name: 'named', username: 'desk', passwordHash: await hashOf('password') },
      { name: 'ward', username: 'ward', usernameToken: true, wsPasswordFile: 'ward' },
    ];
    service = await startService({ environment: { CLIENTS_FILE: writeClients(clients, { ward: 'ward-password' }) } });
  });

  for (const transport of TRANSPORTS) {
    const ask = (headers: Readonly<Record<string, string>>, localAddress?: string) =>
      sendAs(requestOver(transport, service.endpoint, 'GetDoctor', { centerid: 2 }), {
        headers: { ...FOREIGN, ...headers },
        ...(localAddress === undefined ? {} : { localAddress }),
      });

    it(`is refused over ${transport} to a client that is known only by its network, which a browser there has, too`, async () => {
      const { status, body } = await ask({}, NEAR);
      expect(status, body).to.equal(421);
      expect(body).to.include('its operator can set PUBLIC_URL or ALLOWED_HOSTS');
    });

    it(`does not matter over ${transport} to a client that proves a secret, which no page knows`, async () => {
      for (const secret of [{ 'X-API-Key': 'keyed.0123456789abcdef' }, basic('desk', 'password')]) {
        const { status, body } = await ask(secret);
        expect(status, body).to.equal(200);
      }
    });
  }

  it('does not matter to a client that proves its secret in a UsernameToken', async () => {
    const nonce = Buffer.from('nonce-000001').toString('base64');
    const token = digestToken('ward', 'ward-password', nonce, xmlTime(service.clock.now));
    const { status, body: answer } = await sendToken(service.endpoint, token, { headers: FOREIGN });
    expect(status, answer).to.equal(200);
  });

  it('is refused to a caller that gives the secret of nobody, if there is no clients file to check it', async () => {
    const open = await startService();
    const request = requestOver('httpGet', open.endpoint, 'GetDoctor', { centerid: 2 });
    const headers = { ...FOREIGN, ...basic('desk', 'password'), 'X-API-Key': 'keyed.0123456789abcdef' };
    expect((await sendAs(request, { headers })).status).to.equal(421);
  });

  it('is no reason to refuse a program with an API key whose engine sends what a browser sends', async () => {
    const browser = { 'User-Agent': 'Mozilla/5.0 (X11)', Accept: '*/*', 'Accept-Language': 'en' };
    const request = requestOver('httpGet', service.endpoint, 'FB_Push_Details', FEEDBACK);
    const statusOf = async (headers: Readonly<Record<string, string>>) =>
      (await sendAs(request, { headers: { ...browser, ...headers } })).status;
    expect(await statusOf({ 'X-API-Key': 'keyed.0123456789abcdef' })).to.equal(200);
    expect(
      await statusOf({ 'X-API-Key': 'keyed.0123456789abcdef', Origin: 'file://', 'Sec-Fetch-Site': 'cross-site' }),
    ).to.equal(200);
    // A browser in which somebody has logged in adds this by itself, also to an image of a foreign page.
    expect(await statusOf(basic('desk', 'password'))).to.equal(403);
  });
});
