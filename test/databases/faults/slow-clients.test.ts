import { expect } from 'chai';
import { RawConnection } from '../../support/http/raw-connection.ts';
import { perSuite } from '../../support/prepared.ts';
import { openSockets } from '../../support/process/open-sockets.ts';
import { startAttackedService } from './attacked-service.ts';
import { bodyOf, CONTENT_TYPES, formRequest, PATH } from './requests.ts';

const CONNECTIONS = 100;
/** Milliseconds between two bytes. */
const PACE = 50;
/** The server must be done with a slow client within this time, in milliseconds; far more than its timeouts. */
const LIMIT = 6000;

describe('The service with slow clients', function () {
  this.timeout(60_000);
  const service = perSuite(() => startAttackedService({ main: new URL('./impatient-service.ts', import.meta.url) }));

  const row = (title: string, run: () => Promise<void>) => it(title, () => service.attack(title, run));

  /** Sends the start at once and then one byte at a time; returns the status and whether the server closed. */
  async function drip(start: string, bytes: string): Promise<[status: number | undefined, closed: boolean]> {
    const connection = new RawConnection(service.port);
    await connection.send(start);
    let at = 0;
    const dripping = setInterval(() => {
      if (bytes !== '') void connection.send(bytes[at++ % bytes.length] as string);
    }, PACE);
    try {
      const answer = await connection.answer(LIMIT);
      return [answer?.status, await connection.closes(LIMIT)];
    } finally {
      clearInterval(dripping);
      connection.destroy();
    }
  }

  async function dripMany(start: string, bytes: string): Promise<void> {
    const outcomes = await Promise.all(Array.from({ length: CONNECTIONS }, () => drip(start, bytes)));
    for (const outcome of outcomes) expect(outcome).to.deep.equal([408, true]);
  }

  const headOf = (path: string, type: string) =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\n`;

  row('does not wait for headers that arrive one byte at a time', () => dripMany(`GET ${PATH} HTTP/1.1\r\nX: `, 'x'));

  row('closes a connection on which no request line arrives, without an answer to nothing', async () => {
    const outcomes = await Promise.all(Array.from({ length: CONNECTIONS }, () => drip('', '')));
    for (const outcome of outcomes) expect(outcome).to.deep.equal([undefined, true]);
  });

  row('does not wait for a body that arrives one byte at a time', async () => {
    await Promise.all([
      dripMany(`${headOf(PATH, CONTENT_TYPES['1.1'])}Content-Length: 60000\r\n\r\n`, ' '),
      dripMany(`${headOf(`${PATH}/GetDoctor`, 'application/x-www-form-urlencoded')}Content-Length: 60000\r\n\r\n`, 'a'),
    ]);
  });

  row('does not wait for chunks that arrive one byte at a time', () =>
    dripMany(`${headOf(PATH, CONTENT_TYPES['1.1'])}Transfer-Encoding: chunked\r\n\r\n`, '1\r\na\r\n'),
  );

  for (const [part, start] of [
    ['headers', `GET ${PATH} HTTP/1.1\r\nX: `],
    ['a body', `${headOf(PATH, CONTENT_TYPES['1.1'])}Content-Length: 60000\r\n\r\n`],
  ] as const) {
    row(`waits longer for ${part} that arrive one byte at a time than for those that stop`, async () => {
      const done: string[] = [];
      await Promise.all([
        drip(start, 'x').then(() => done.push('slow')),
        drip(start, '').then((outcome) => {
          expect(outcome).to.deep.equal([408, true]);
          done.push('silent');
        }),
      ]);
      expect(done).to.deep.equal(['silent', 'slow']);
    });
  }

  row(
    'closes the connection of a client that sends a malformed request and then nothing, and keeps nothing of it',
    async () => {
      const before = openSockets(service.process.processId);
      const connection = new RawConnection(service.port);
      await connection.send('nonsense\r\n\r\n');
      expect((await connection.answer(LIMIT))?.status).to.equal(400);
      expect(await connection.closes(LIMIT)).to.equal(true);
      // This client never closes its own side.
      for (let waited = 0; openSockets(service.process.processId) > before && waited < LIMIT; waited += PACE) {
        await new Promise((resolve) => setTimeout(resolve, PACE));
      }
      expect(openSockets(service.process.processId)).to.equal(before);
      connection.destroy();
    },
  );

  row('closes a connection that is idle after an answer', async () => {
    const connection = new RawConnection(service.port);
    await connection.send(formRequest('GET', 'GetDoctor', bodyOf('GetDoctor')));
    expect((await connection.answer(LIMIT))?.status).to.equal(200);
    expect(await connection.closes(LIMIT)).to.equal(true);
    connection.destroy();
  });
});
