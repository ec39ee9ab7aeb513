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

  /** Sends each part on all connections before the server reads any of it; resolves with the statuses of all answers. */
  const sendOnAll = async (...parts: readonly string[]): Promise<readonly string[]> => {
    for (let n = 0; n < CONNECTIONS; n++) sockets.push(connect(server.port, '127.0.0.1'));
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    while (server.connections() < CONNECTIONS) await new Promise(setImmediate);
    const answers = sockets.map(
      (socket) =>
        new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString('latin1', 9, 12)))),
    );
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
});
