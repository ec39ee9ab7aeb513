import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import express, { type RequestHandler } from 'express';
import type { HttpServer } from '../../src/http/http-server.ts';
import { LARGEST_BODY, readBody, takeBody } from '../../src/transports/read-body.ts';
import { ServiceError } from '../../src/vocabulary/errors.ts';
import { listenHere } from '../support/http/listen-here.ts';
import { parseAnswer } from '../support/http/raw-exchange.ts';

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
    /** The answer: the body that was read, or the code of the error. */
    const exchange = async (request: string): Promise<string> => {
      socket = await listen((request, response) => {
        const read = () =>
          readBody(request, response, (error?: unknown) => {
            response.end(error instanceof ServiceError ? error.code : takeBody(request));
          });
        // As while an earlier request of the connection is being answered, or a password is being checked.
        request.socket.once('end', read);
      });
      const chunks: Buffer[] = [];
      socket.on('data', (chunk: Buffer) => chunks.push(chunk)).end(request);
      await new Promise((resolve) => socket?.once('close', resolve));
      return parseAnswer(Buffer.concat(chunks)).body.toString();
    };

    it('is read', async () => {
      expect(await exchange(post('Content-Length: 10', 'centerid=1'))).to.equal('centerid=1');
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

  const outcomeOfRead = () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    return { outcome: promise, done: (error?: unknown) => resolve(error) };
  };

  for (const length of [10, 10_000]) {
    it(`of ${length} bytes is read when it arrives in pieces`, async () => {
      const { outcome, done } = outcomeOfRead();
      let read: (() => Buffer) | undefined;
      socket = await listen((request, response) => {
        read = () => takeBody(request);
        request.once('data', () => socket?.write('c'.repeat(length - 1)));
        readBody(request, response, (error?: unknown) => {
          response.end();
          done(error);
        });
      });
      socket.write(post(`Content-Length: ${length}`, 'c'));
      expect(await outcome).to.equal(undefined);
      expect(read?.().toString()).to.equal('c'.repeat(length));
    });

    it(`of ${length} bytes ends early if its client goes away meanwhile`, async () => {
      const { outcome, done } = outcomeOfRead();
      socket = await listen((request, response) => {
        request.once('data', () => socket?.resetAndDestroy());
        readBody(request, response, done);
      });
      socket.write(post(`Content-Length: ${length}`, 'c'));
      expect(await outcome).to.have.property('code', 'Malformed');
    });
  }

  for (const [what, reason, body] of [
    ['is too large', 'body', `10001\r\n${'c'.repeat(0x1_00_01)}\r\n`],
    ['comes in too many chunks', 'chunks', '1\r\nc\r\n'.repeat(4097)],
  ] as const) {
    it(`that ${what} is refused before its end`, async () => {
      const { outcome, done } = outcomeOfRead();
      socket = await listen((request, response) => {
        readBody(request, response, (error?: unknown) => {
          response.end();
          done(error);
        });
      });
      socket.write(post('Transfer-Encoding: chunked', body));
      expect(await outcome).to.include({ code: 'TooLarge', reason });
    });
  }

  it('of a client that has gone ends early', async () => {
    const { outcome: ended, done: outcome } = outcomeOfRead();
    socket = await listen((request, response) => {
      request.once('close', () => readBody(request, response, outcome));
      socket?.resetAndDestroy();
    });
    socket.write(post(`Content-Length: ${LARGEST_BODY}`));
    expect(await ended).to.have.property('code', 'Malformed');
  });
});
