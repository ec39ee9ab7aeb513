import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import type { HttpServer } from '../../../src/http/http-server.ts';
import { listenHere } from '../../support/http/listen-here.ts';

const CONNECTIONS = 30;
const HEAD = 'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n';
const PIECES = `${'1\r\na\r\n'.repeat(3000)}0\r\n\r\n`;

describe('Bodies in many small chunks that arrive at the same moment', () => {
  let server: HttpServer;
  let turn = 0;
  let counting: NodeJS.Immediate;
  /** How many bodies were received in each turn of the event loop. */
  let received: Map<number, number>;
  const sockets: Socket[] = [];

  beforeEach(async () => {
    received = new Map();
    const app = express();
    app.use((request, response) => {
      request.resume().once('end', () => {
        received.set(turn, (received.get(turn) ?? 0) + 1);
        response.end('x');
      });
    });
    server = await listenHere(app);
    const count = () => {
      turn++;
      counting = setImmediate(count);
    };
    count();
  });
  afterEach(async () => {
    clearImmediate(counting);
    for (const socket of sockets.splice(0)) socket.destroy();
    await server.close();
  });

  /** The status of the next answer. */
  const statusOn = (socket: Socket) =>
    new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString('latin1', 9, 12))));

  const openMany = async (many: number, addressOf = (_n: number) => '127.0.0.1'): Promise<void> => {
    for (let n = 0; n < many; n++) {
      sockets.push(connect({ port: server.port, host: '127.0.0.1', localAddress: addressOf(n) }));
    }
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    while (server.connections() < many) await new Promise(setImmediate);
  };

  /** Sends each part on all connections before the server reads any of it; resolves with the statuses of all answers. */
  const sendOnAll = async (...parts: readonly string[]): Promise<readonly string[]> => {
    await openMany(CONNECTIONS);
    const answers = sockets.map(statusOn);
    for (const part of parts) {
      for (const socket of sockets) socket.write(part);
      for (let passed = 0; passed < 20; passed++) await new Promise(setImmediate);
    }
    return Promise.all(answers);
  };

  it('are read in turns, and all are answered', async () => {
    expect(new Set(await sendOnAll(HEAD, PIECES))).to.deep.equal(new Set(['200']));
    expect(Math.max(...received.values())).to.equal(1);
  });

  it('are refused with 429 if their requests begin in such a turn', async () => {
    const answers = await sendOnAll(HEAD + PIECES);
    expect(new Set(answers)).to.deep.equal(new Set(['200', '429']));
    expect(Math.max(...received.values())).to.equal(1);
  });

  it('of one address refuse no call in chunks of another that begins in such a turn', async () => {
    await openMany(CONNECTIONS, (n) => (n === CONNECTIONS - 1 ? '127.0.0.2' : '127.0.0.1'));
    const honest = sockets.at(-1) as Socket;
    const answers = sockets.map(statusOn);
    // The server reads them in this order, as far as it does so in one turn.
    for (const socket of sockets) socket.write(HEAD + (socket === honest ? '2\r\nab\r\n0\r\n\r\n' : PIECES));
    const statuses = await Promise.all(answers);
    expect(statuses.pop()).to.equal('200');
    expect(new Set(statuses)).to.deep.equal(new Set(['200', '429']));
  });

  it('of many addresses together are refused, too', async () => {
    await openMany(CONNECTIONS, (n) => `127.0.0.${n + 1}`);
    const answers = sockets.map(statusOn);
    for (const socket of sockets) socket.write(HEAD + PIECES);
    expect(new Set(await Promise.all(answers))).to.deep.equal(new Set(['200', '429']));
    expect(Math.max(...received.values())).to.be.below(CONNECTIONS / 2);
  });
});
