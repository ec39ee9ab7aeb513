import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import type { HttpServer } from '../../../src/http/http-server.ts';
import { listenHere } from '../../support/http/listen-here.ts';
import { perSuite } from '../../support/prepared.ts';

/** More than the buffers of both ends can hold, and half of what may be unsent. */
const LONG_ANSWER = Buffer.alloc(16 * 1024 * 1024, 'a');

describe('The server with clients that do not read their answers', () => {
  const sockets: Socket[] = [];
  const app = express();
  let answers = 0;
  app.get('/long', (_request, response) => {
    answers++;
    response.end(LONG_ANSWER);
  });
  after(() => {
    for (const socket of sockets) socket.destroy();
  });
  const server = perSuite(() => listenHere(app, { answerMs: 300 }));

  /** A connection that has requested the long answer. */
  const ask = async ({ port }: HttpServer): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    sockets.push(socket);
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.write('GET /long HTTP/1.1\r\nHost: localhost\r\n\r\n');
    return socket;
  };
  const turn = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

  it('ends their connections', async () => {
    const socket = await ask(server);
    await once(socket, 'readable');
    while (server.connections() > 0) await turn(20);
    expect(socket.bytesRead).to.be.below(LONG_ANSWER.length);
  });

  it('cuts those that have waited longest as soon as more than 32 MiB are unsent', async () => {
    const patient = await listenHere(app);
    try {
      for (let n = 1; n <= 6; n++) {
        const asked = answers;
        await ask(patient);
        while (answers === asked) await turn(1);
        while (patient.connections() > 2) await turn(1);
        expect(patient.connections()).to.equal(Math.min(n, 2));
      }
    } finally {
      for (const socket of sockets) socket.destroy();
      await patient.close();
    }
  });
});
