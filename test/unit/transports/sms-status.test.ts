import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import express, { type ErrorRequestHandler } from 'express';
import supertest from 'supertest';
import { createLog } from '../../../src/log/log.ts';
import { chooseHttpGateway } from '../../../src/messages/gateways/http-gateway.ts';
import { Exchange } from '../../../src/transports/exchange.ts';
import { createSmsStatus, SMS_STATUS_PATH } from '../../../src/transports/sms-status.ts';
import type { DeliveryReceipt } from '../../../src/vocabulary/messages.ts';
import { appDependencies } from '../../support/http/app-dependencies.ts';
import { listenHere } from '../../support/http/listen-here.ts';
import { startService } from '../../support/process/start-service.ts';

const SECRET = 'callback-secret-0001';
const SETTINGS = { username: 'u', password: 'p', sender: undefined, callbackSecret: SECRET };
const { readStatusCallback } = chooseHttpGateway('kannel', SETTINGS);

/** The route alone, in front of a hospital that keeps what it receives. */
async function statusRoute() {
  const received: DeliveryReceipt[] = [];
  const lines: string[] = [];
  let broken = false;
  const app = express();
  if (readStatusCallback === undefined) throw new Error('the preset has no callbacks');
  const dependencies = {
    secret: SECRET,
    readStatusCallback,
    receive: async (receipt: DeliveryReceipt) => {
      if (broken) throw new Error('the database is away');
      received.push(receipt);
    },
  };
  const parts = appDependencies({ invoke: async () => Promise.reject(new Error('no call')), clock: () => 0 });
  const log = createLog('debug', { write: (line: string) => void lines.push(line) });
  app.all(
    SMS_STATUS_PATH,
    createSmsStatus(dependencies, (serve) => (request) => serve(new Exchange(parts, request)), log),
  );
  const failed: ErrorRequestHandler = (error, _request, response, _next) => {
    response.status(error.code === 'TooLarge' ? 413 : error.code === 'Malformed' ? 400 : 500).end();
  };
  app.use(failed);
  const breakIt = () => {
    broken = true;
  };
  const { port } = await listenHere(app);
  return { call: supertest(`http://127.0.0.1:${port}`), received, lines, breakIt };
}

const DELIVERED = { messageId: 12, reference: undefined, status: 'delivered', code: '1' };

describe('The route for status callbacks', () => {
  for (const method of ['get', 'post'] as const) {
    it(`accepts a status by ${method.toUpperCase()}, and accepts it again`, async () => {
      const { call, received, lines } = await statusRoute();
      for (let i = 0; i < 2; i++) await call[method](`/sms/status/${SECRET}?id=12&status=1`).expect(200, 'OK');
      expect(received).to.deep.equal([DELIVERED, DELIVERED]);
      expect(lines).to.deep.equal([]);
    });
  }

  it('reads what follows a second question mark', async () => {
    const { call, received } = await statusRoute();
    await call.get(`/sms/status/${SECRET}?text=why?&id=12&status=1`).expect(200);
    expect(received).to.deep.equal([DELIVERED]);
  });

  it('accepts a status from a form', async () => {
    const { call, received } = await statusRoute();
    await call.post(`/sms/status/${SECRET}`).type('form').send('id=12&status=1').expect(200);
    expect(received).to.deep.equal([DELIVERED]);
  });

  for (const path of [
    '/sms/status',
    '/sms/status/',
    `/sms/status/${SECRET}x`,
    '/sms/status/x',
    `/sms/status/${SECRET}/x`,
  ]) {
    it(`does not answer at ${path}`, async () => {
      const { call, received } = await statusRoute();
      await call.get(`${path}?id=12&status=1`).expect(404);
      expect(received).to.deep.equal([]);
    });
  }

  it('answers 200 to an invalid call, and logs none of its text', async () => {
    const { call, lines } = await statusRoute();
    await call.get(`/sms/status/${SECRET}?id=13&status=x&to=919845012345`).expect(200);
    await call.get(`/sms/status/${SECRET}?moon=full`).expect(200);
    expect(lines.map((line) => JSON.parse(line).msg)).to.deep.equal([
      'status callback not understood',
      'status callback not understood',
    ]);
    expect(lines.join('')).to.not.match(/callback-secret|9845012345|moon/);
  });

  it('fails if the status could not be stored, so that the gateway repeats it', async () => {
    const { call, breakIt } = await statusRoute();
    breakIt();
    await call.get(`/sms/status/${SECRET}?id=12&status=1`).expect(500);
  });

  it('accepts a compressed call, with a byte order mark', async () => {
    const { call, received } = await statusRoute();
    const body = gzipSync(`\ufeffid=12&status=1&x=${'x'.repeat(60_000)}`);
    const post = call.post(`/sms/status/${SECRET}`).type('form').set('Content-Encoding', 'gzip');
    post.write(body);
    await post.expect(200);
    expect(received).to.deep.equal([DELIVERED]);
  });

  it('accepts no body of more than 64 KiB, unpacked', async () => {
    const { call } = await statusRoute();
    const body = `id=12&status=1&x=${'x'.repeat(65_536)}`;
    await call.post(`/sms/status/${SECRET}`).type('form').send(body).expect(413);
    const post = call.post(`/sms/status/${SECRET}`).type('form').set('Content-Encoding', 'gzip');
    post.write(gzipSync(body));
    await post.expect(413);
  });

  it("takes a body that cannot be unpacked for the sender's mistake", async () => {
    const { call } = await statusRoute();
    const whole = gzipSync('id=12&status=1');
    for (const coding of ['gzip', 'deflate', 'br', 'zstd']) {
      for (const body of [Buffer.from('id=12&status=1'), whole.subarray(0, -9), whole.subarray(0, 3)]) {
        const post = call.post(`/sms/status/${SECRET}`).type('form').set('Content-Encoding', coding);
        post.write(body);
        await post.expect(400);
      }
    }
  });

  it('reads a body in windows-1252', async () => {
    const { call, received } = await statusRoute();
    const post = call.post(`/sms/status/${SECRET}`).type('form');
    post.write(Buffer.from('id=12&status=1&note=caf\u00e9', 'latin1'));
    await post.expect(200);
    expect(received).to.deep.equal([DELIVERED]);
  });
});

/** The gateway's time. */
const ACCOUNT = { SMS_USERNAME: 'hospital', SMS_PASSWORD: 'hush' };

describe('The service with an HTTP gateway', () => {
  const statusOf = async (environment: Readonly<Record<string, string>>, secret: string, method = 'GET') => {
    const service = await startService({ environment });
    const { status } = await fetch(`${service.baseUrl}/sms/status/${secret}?id=12&status=1`, { method });
    expect(service.logLines.join('')).to.not.contain(SECRET);
    return status;
  };

  it('accepts no other method than GET and POST', async () => {
    const environment = { ...ACCOUNT, SMS_GATEWAY: 'http:kannel', SMS_CALLBACK_SECRET: SECRET };
    expect(await statusOf(environment, SECRET, 'PUT')).to.equal(405);
    expect(await statusOf(environment, 'another', 'PUT')).to.equal(404);
  });

  for (const [status, gateway, configured, shown] of [
    [200, 'http:kannel', SECRET, SECRET],
    [404, 'http:kannel', SECRET, 'another'],
    [404, 'http:kannel', '', ''],
    [404, 'http:kannel', '', 'undefined'],
    [404, 'off', SECRET, SECRET],
    [404, 'smpp://127.0.0.1:2775', SECRET, SECRET],
  ] as const) {
    it(`answers ${status} with SMS_GATEWAY=${gateway}, the secret "${configured}" and "${shown}" in the path`, async () => {
      expect(await statusOf({ ...ACCOUNT, SMS_GATEWAY: gateway, SMS_CALLBACK_SECRET: configured }, shown)).to.equal(
        status,
      );
    });
  }
});
