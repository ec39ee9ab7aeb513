import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import express, { type Request, type RequestHandler } from 'express';
import type { HttpServer } from '../../../src/http/http-server.ts';
import { LARGEST_BODY, readBody } from '../../../src/transports/read-body.ts';
import { listenHere } from '../../support/http/listen-here.ts';
import { parseAnswer, rawExchange } from '../../support/http/raw-exchange.ts';

describe('The body of a request', () => {
  let server: HttpServer;
  let socket: Socket | undefined;
  afterEach(async () => {
    socket?.destroy();
    await server.close();
  });

  const listen = async (handler: RequestHandler) => {
    server = await listenHere(express().use(handler));
    return connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
  };
  const post = (length: string, body = '') => `POST / HTTP/1.1\r\nHost: localhost\r\n${length}\r\n\r\n${body}`;

  describe('of a client that closes its sending side before the body is read', () => {
    /** The answer: the body that was read. */
    const exchange = async (request: string): Promise<string> => {
      const arrived = Promise.withResolvers<void>();
      const read = Promise.withResolvers<void>();
      socket = await listen(async (request, response) => {
        if (request.method === 'GET') return void response.end();
        arrived.resolve();
        // As while a password is being checked.
        await read.promise;
        response.end(await readBody(request, response));
      });
      const chunks: Buffer[] = [];
      socket.on('data', (chunk: Buffer) => chunks.push(chunk)).end(request);
      await arrived.promise;
      // When another request has been answered, the end of this one has reached the server.
      await rawExchange(server.port, 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
      read.resolve();
      await new Promise((resolve) => socket?.once('close', resolve));
      return parseAnswer(Buffer.concat(chunks)).body.toString();
    };

    it('is read', async () => {
      expect(await exchange(post('Content-Length: 10', 'centerid=1'))).to.equal('centerid=1');
    });

    it('is read if it is larger than what a connection holds', async () => {
      const body = 'c'.repeat(LARGEST_BODY);
      expect(await exchange(post(`Content-Length: ${body.length}`, body))).to.equal(body);
    });

    it('is read if it is sent in chunks', async () => {
      expect(await exchange(post('Transfer-Encoding: chunked', '6\r\ncenter\r\n4\r\nid=1\r\n0\r\n\r\n'))).to.equal(
        'centerid=1',
      );
    });

    it('is empty if there is none', async () => {
      expect(await exchange(post('Content-Length: 0'))).to.equal('');
    });
  });

  /** Sends a request, and reads its body as soon as it arrives; `begin` runs before that. Resolves with the body or the error. */
  const readOf = async (request: string, begin: (request: Request) => void = () => {}): Promise<unknown> => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    socket = await listen(async (request, response) => {
      begin(request);
      resolve(await readBody(request, response).catch((error: unknown) => error));
      response.end();
    });
    socket.on('error', () => {});
    socket.write(request);
    return promise;
  };

  for (const length of [10, 10_000]) {
    it(`of ${length} bytes is read when it arrives in pieces`, async () => {
      const body = await readOf(post(`Content-Length: ${length}`, 'c'), (request) =>
        request.once('data', () => socket?.write('c'.repeat(length - 1))),
      );
      expect(String(body)).to.equal('c'.repeat(length));
    });

    it(`of ${length} bytes ends early if its client goes away meanwhile`, async () => {
      const error = await readOf(post(`Content-Length: ${length}`, 'c'), (request) =>
        request.once('data', () => socket?.resetAndDestroy()),
      );
      expect(error).to.have.property('code', 'Malformed');
    });
  }

  for (const [what, reason, body] of [
    ['is too large', 'body', `10001\r\n${'c'.repeat(0x1_00_01)}\r\n`],
    ['comes in too many chunks', 'chunks', '1\r\nc\r\n'.repeat(4097)],
  ] as const) {
    it(`that ${what} is refused before its end`, async () => {
      expect(await readOf(post('Transfer-Encoding: chunked', body))).to.include({ code: 'TooLarge', reason });
    });
  }

  it('of a client that has gone ends early', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    socket = await listen((request, response) => {
      request.once('close', () => readBody(request, response).catch(resolve));
      request.destroy();
    });
    socket.on('error', () => {});
    socket.write(post(`Content-Length: ${LARGEST_BODY}`));
    expect(await promise).to.have.property('code', 'Malformed');
  });
});
