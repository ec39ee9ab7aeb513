import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import type { HttpServer } from '../../src/http/http-server.ts';
import { listenHere } from '../support/http/listen-here.ts';

const STALLED = 300;
/** More than the buffers of both ends can hold, and half of what may be unsent. */
const LONG_ANSWER = Buffer.alloc(16 * 1024 * 1024, 'a');

describe('The server with clients that do not read their answers', () => {
  let server: HttpServer;
  const sockets: Socket[] = [];
  const app = express();
  let answers = 0;
  before(async () => {
    app.get('/long', (_request, response) => {
      answers++;
      response.end(LONG_ANSWER);
    });
    server = await listenHere(app, { keepAliveMs: 10_000, stalledMs: STALLED });
  });
  after(async () => {
    for (const socket of sockets) socket.destroy();
    await server?.close();
  });

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

  it('ends their connections, but not those of slow readers', async () => {
    await ask(server);
    const slow = await ask(server);
    let taken = 0;
    let closed = false;
    slow.on('close', () => {
      closed = true;
    });
    const began = performance.now();
    while (server.connections() > 1 && performance.now() - began < 5000) {
      // A bit at a time, so that data keeps moving.
      taken += (slow.read(1024 * 1024) ?? slow.read())?.length ?? 0;
      await turn(20);
    }
    expect(server.connections()).to.equal(1);
    expect(performance.now() - began).to.be.above(STALLED);
    slow.on('data', (chunk: Buffer) => {
      taken += chunk.length;
    });
    while (!closed && taken < LONG_ANSWER.length && performance.now() - began < 10_000) await turn(20);
    expect(taken).to.be.at.least(LONG_ANSWER.length);
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
