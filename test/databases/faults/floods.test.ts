import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { RawConnection } from '../../support/http/raw-connection.ts';
import { perSuite } from '../../support/prepared.ts';
import { until } from '../../support/process/until.ts';
import { startAttackedService } from './attacked-service.ts';
import { bodyOf, encodeForm, formRequest, PATH, request } from './requests.ts';

const CONNECTIONS = 10;
const REQUESTS = 120;
const LIMIT = 10_000;
/** Slow connections, how often each sends a byte, and the milliseconds in between. */
const SLOW = 500;
const TURNS = 20;
const PACE = 100;

describe('The service in a flood of requests that it rejects', function () {
  this.timeout(60_000);
  // The good client calls more often than an address may.
  const service = perSuite(() => startAttackedService({ environment: { RATE_LIMIT: '1000000' } }));

  /** Sends the requests in turn, on several connections at once; returns each status once. */
  const flood = async (requests: readonly Buffer[]): Promise<readonly number[]> => {
    const statuses = new Set<number>();
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        const connection = new RawConnection(service.port);
        for (let n = 0; n < REQUESTS; n++) {
          void connection.send(requests[n % requests.length] as Buffer);
          statuses.add((await connection.answer(LIMIT))?.status ?? 0);
        }
        connection.destroy();
      }),
    );
    return [...statuses].sort((a, b) => a - b);
  };
  const row = (title: string, run: () => Promise<unknown>) => it(title, () => service.attack(title, run));

  row('refuses calls under the hospital’s rules as fast as they arrive, and records 600 of each caller', async () => {
    const past = bodyOf('Fetch_Details', { app_date: '2020-01-01T00:00:00', app_time: '2020-01-01T10:00:00' });
    expect(await flood([formRequest('POST', 'Fetch_Details', past)])).to.deep.equal([422]);
    const lines = () => service.process.output().split('"resultCode":15').length - 1;
    await until(() => lines() >= 600);
    expect(lines()).to.equal(600);
    return `${lines()} lines of ${CONNECTIONS * REQUESTS} refusals`;
  });

  row('refuses hundreds of bookings from another site’s page', async () => {
    const booking = `${PATH}/Fetch_Details?${encodeForm(bodyOf('Fetch_Details'))}`;
    const agent = ['User-Agent', 'AppleCoreMedia/1.0.0'] as const;
    const byReferer = request('GET', booking, [agent, ['Referer', 'http://evil.example/page']]);
    const byOrigin = request('GET', booking, [agent, ['Origin', 'http://evil.example']]);
    expect(await flood([byReferer, byOrigin])).to.deep.equal([403]);
  });

  row('answers requests that are not found, not allowed or not understood', async () => {
    const requests = [
      request('GET', '/nothing', []),
      request('DELETE', PATH, []),
      request('POST', PATH, [['Content-Type', 'application/json']], '{}'),
      request('POST', PATH, Object.entries({ 'Content-Type': 'text/xml', 'Content-Encoding': 'gzip' }), 'x'),
      request('GET', '/', []),
      request('GET', '/readyz', []),
      request('POST', '/sms/status/guess', [], 'x'),
    ];
    expect(await flood(requests)).to.deep.equal([200, 302, 404, 405, 415]);
  });

  row('goes on waiting for 500 slow connections of one address while it answers others', async () => {
    const sockets = Array.from({ length: SLOW }, () =>
      connect({ port: service.port, host: '127.0.0.1', localAddress: '127.0.0.2' }),
    );
    const body = request('POST', PATH, Object.entries({ 'Content-Type': 'text/xml', 'Content-Length': '60000' }));
    for (const [n, socket] of sockets.entries()) socket.write(n % 2 === 0 ? body : `GET ${PATH} HTTP/1.1\r\nX: `);
    for (let turn = 0; turn < TURNS; turn++) {
      await sleep(PACE);
      for (const socket of sockets) socket.write('x');
    }
    const open = sockets.filter(({ destroyed }) => !destroyed).length;
    for (const socket of sockets) socket.destroy();
    expect(open).to.equal(SLOW);
  });
});
