import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { expect } from 'chai';
import express, { type Express } from 'express';
import type { HttpServer } from '../../../src/http/http-server.ts';
import { readBody } from '../../../src/transports/read-body.ts';
import { SetUpError } from '../../../src/vocabulary/errors.ts';
import { listenHere } from '../../support/http/listen-here.ts';
import { parseAnswer, rawExchange } from '../../support/http/raw-exchange.ts';
import { needOpenssl, newIssuer } from '../../support/http/test-certificates.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

describe('listen', () => {
  let app: Express;
  let server: HttpServer;
  let release: () => void;
  let arrived: Promise<void>;

  beforeEach(async () => {
    app = express();
    let tell: () => void = () => {};
    arrived = new Promise((resolve) => {
      tell = resolve;
    });
    app.get('/now', (_request, response) => void response.send('now'));
    app.get('/nothing', (_request, response) => void response.end());
    app.get('/latin1', (_request, response) => void response.end('\u00e9', 'latin1'));
    app.get('/later', async (_request, response) => {
      tell();
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      response.send('later');
    });
    server = await listenHere(app);
  });
  afterEach(() => server.close().catch(() => {}));

  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;

  it('listens on a free port if given port 0', async () => {
    expect(server.port).to.be.within(1, 65535);
    expect((await rawExchange(server.port, get('/now'))).body.toString()).to.equal('now');
  });

  it('rejects if the port is taken', async () => {
    const error = await listenHere(express(), {}, server.port).catch((thrown) => thrown);
    expect(error).to.be.instanceOf(SetUpError);
  });

  it('sends the length of an answer, even an empty one, and keeps its encoding', async () => {
    const nothing = await rawExchange(server.port, get('/nothing'));
    expect(nothing.headers).to.include({ 'content-length': '0' }).and.not.to.have.property('transfer-encoding');
    const latin1 = await rawExchange(server.port, get('/latin1'));
    expect(latin1.body).to.deep.equal(Buffer.from([0xe9]));
  });

  it('keeps a connection for the next request', async () => {
    const { headers } = await rawExchange(server.port, get('/now'));
    expect(headers.connection).to.equal('keep-alive');
  });

  /** What a client receives that closes its sending side before its answer is written. */
  async function halfClosed(socket: Socket, port: number): Promise<string> {
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.end(get('/later'));
    await arrived;
    // When another request has been answered, the end of this one has reached the server.
    await rawExchange(port, get('/now'));
    release();
    await new Promise((resolve) => socket.once('close', resolve));
    return parseAnswer(Buffer.concat(chunks)).body.toString();
  }

  it('answers a client that has closed its sending side', async () => {
    const { port } = server;
    expect(await halfClosed(connect({ port, host: '127.0.0.1', allowHalfOpen: true }), port)).to.equal('later');
  });

  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    it(`answers one over ${version}`, async function () {
      needOpenssl(this);
      const folder = temporaryFolder();
      const { cert, key } = newIssuer(folder.path).issue('server');
      const secure = await listenHere(app, {}, 0, { cert, key } as never);
      const address = { port: secure.port, allowHalfOpen: true };
      const socket = connectSecurely({
        ...address,
        rejectUnauthorized: false,
        minVersion: version,
        maxVersion: version,
      });
      try {
        expect(await halfClosed(socket, server.port)).to.equal('later');
      } finally {
        await secure.close();
        folder.remove();
      }
    });
  }

  it('lets the request in flight finish before it closes', async () => {
    const answer = rawExchange(server.port, get('/later'));
    await arrived;
    let closed = false;
    const close = server.close().then(() => {
      closed = true;
    });
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    expect(closed).to.equal(false);
    release();
    expect((await answer).body.toString()).to.equal('later');
    await close;
  });

  it('closes kept-alive connections, including those whose answer is sent while it closes', async () => {
    const socket: Socket = connect(server.port, '127.0.0.1');
    const ended = new Promise((resolve) => socket.on('close', resolve));
    socket.resume();
    socket.write(get('/later'));
    await arrived;
    const close = server.close();
    release();
    await close;
    await ended;
  });

  it('announces the end of the connection with each answer once it is closing', async () => {
    const inFlight = rawExchange(server.port, get('/later'));
    await arrived;
    server.announceClose();
    expect((await rawExchange(server.port, get('/now'))).headers.connection).to.equal('close');
    release();
    expect((await inFlight).headers.connection).to.equal('close');
  });

  it('closes an idle connection in time, even if it keeps receiving line ends', async () => {
    await server.close();
    const app = express();
    app.get('/now', (_request, response) => void response.send('now'));
    server = await listenHere(app, { keepAliveMs: 300, requestMs: 300, quietMs: 300 });
    const socket = connect(server.port, '127.0.0.1');
    socket.write(get('/now'));
    const drip = setInterval(() => socket.write('\r\n'), 50);
    // A reset while it sends is equally acceptable.
    socket.on('error', () => {});
    await new Promise((resolve) => socket.resume().once('close', resolve));
    clearInterval(drip);
    expect(socket.bytesRead).to.be.above(0);
  });

  /** All that is received on a connection until it is closed. */
  const receivedFor = async (bytes: Buffer | string, then = (_socket: Socket) => {}): Promise<string> => {
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
      then(socket);
    });
    socket.on('end', () => socket.end()).write(bytes);
    await new Promise((resolve) => socket.once('close', resolve));
    return received;
  };

  it('answers a request before it refuses the one behind it, of which it cannot read the rest', async () => {
    const broken = 'POST /now HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n';
    const received = receivedFor(get('/later') + broken);
    await arrived;
    // When another request has been answered, the broken one has been noticed.
    await rawExchange(server.port, get('/now'));
    release();
    expect((await received).match(/HTTP\/1\.1 \d+|later/g)).to.deep.equal(['HTTP/1.1 200', 'later', 'HTTP/1.1 400']);
  });

  for (const header of ['Connection', 'Proxy-Connection']) {
    it(`reads a GET with bytes beyond ASCII as the last of its connection, counted already, despite ${header}`, async () => {
      await server.close();
      const app = express().use((request, response) => void response.send(request.url));
      // One connection for each address.
      server = await listenHere(app, { most: 10 });
      const raw = Buffer.from(`GET /\xe9 HTTP/1.0\r\n${header}: keep-alive\r\n\r\n`, 'latin1');
      expect(await receivedFor(raw))
        .to.match(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\/%e9$/)
        .and.match(/\r\nConnection: close\r\n/)
        .and.not.match(/keep-alive/i);
    });
  }

  for (const [name, behind, status] of [
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n', 405],
    ['the first lines of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ] as const) {
    it(`answers a request before it refuses ${name} behind it`, async () => {
      const received = receivedFor(get('/later') + behind);
      await arrived;
      await rawExchange(server.port, get('/now'));
      release();
      const found = (await received).match(/HTTP\/1\.1 \d+|later/g);
      expect(found).to.deep.equal(['HTTP/1.1 200', 'later', `HTTP/1.1 ${status}`]);
    });
  }

  it('reads headers of 17 KiB, but not of 65 KiB, from a trusted proxy', async () => {
    await server.close();
    const app = express().use((_request, response) => void response.send('read'));
    server = await listenHere(app, { isProxy: () => true });
    const statusFor = async (kilobytes: number) => {
      const head = `GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Negotiate ${'x'.repeat(kilobytes * 1024)}\r\n\r\n`;
      return (await rawExchange(server.port, head)).status;
    };
    expect([await statusFor(17), await statusFor(60), await statusFor(65)]).to.deep.equal([200, 200, 431]);
  });

  it('does not keep more than 16 KiB of headers that never end', async () => {
    await server.close();
    server = await listenHere(express(), { quietMs: 10_000 });
    expect(await receivedFor(`GET /now HTTP/1.1\r\nX: ${'x'.repeat(17 * 1024)}`)).to.match(/^HTTP\/1\.1 431 /);
  });

  describe('with a client like a modem', () => {
    const QUIET = 400;
    const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
    let socket: Socket;
    let received = '';

    beforeEach(async () => {
      await server.close();
      const app = express().use(async (request, response) => void response.send(await readBody(request, response)));
      server = await listenHere(app, { quietMs: QUIET, requestMs: 6 * QUIET, keepAliveMs: 6 * QUIET });
      received = '';
      socket = connect(server.port, '127.0.0.1');
      socket.on('data', (chunk) => {
        received += chunk;
      });
    });
    const closed = () => new Promise((resolve) => socket.once('close', resolve));
    const LINES = ['POST / HTTP/1.1', 'Host: localhost', 'Content-Length: 8', 'Connection: close', ''];

    it('waits for its first byte and between two requests as long as for an idle connection', async () => {
      await pause(2 * QUIET);
      socket.write(get('/'));
      await pause(2 * QUIET);
      socket.write(LINES.map((line) => `${line}\r\n`).join(''));
      socket.write('complete');
      await closed();
      expect(received.match(/HTTP\/1\.1 \d+|complete/g)).to.deep.equal(['HTTP/1.1 200', 'HTTP/1.1 200', 'complete']);
    });

    it('waits for one line after another, and for a late body, as long as a request may take', async () => {
      for (const line of LINES) {
        socket.write(`${line}\r\n`);
        await pause(QUIET / 2);
      }
      for (const part of ['comp', 'lete']) {
        await pause(QUIET / 2);
        socket.write(part);
      }
      await closed();
      expect(received).to.match(/^HTTP\/1\.1 200 [\s\S]*complete$/);
    });
  });

  it('answers a request only once whose body never comes to its end', async () => {
    await server.close();
    const app = express().use((_request, response) => void response.status(415).send('no'));
    server = await listenHere(app, { requestMs: 300 });
    const received = await receivedFor('POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 3\r\n\r\nab');
    expect(received.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 415']);
  });

  it('does not read what completes a request that it has refused as too slow', async () => {
    await server.close();
    const read: unknown[] = [];
    const app = express().use(async (request, response) => {
      read.push(await readBody(request, response).catch(({ code }) => code));
    });
    server = await listenHere(app, { requestMs: 300 });
    const late = 'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 3\r\n\r\nab';
    expect(await receivedFor(late, (socket) => socket.write('c'))).to.match(/^HTTP\/1\.1 408 /);
    expect(read).to.deep.equal(['Malformed']);
  });

  it('accepts no connection once it is closing', async () => {
    const { port } = server;
    await server.close();
    const error = await rawExchange(port, get('/now')).catch((thrown) => thrown);
    expect(error).to.have.property('code', 'ECONNREFUSED');
  });

  for (const [what, request, status] of [
    ['text that is not HTTP', 'HELLO\r\n\r\n', 400],
    ['two different lengths', 'POST /now HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
    ['headers of 17 KiB', `GET /now HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(17 * 1024)}\r\n\r\n`, 431],
  ] as const) {
    it(`answers ${what} with ${status} and one sentence, and closes the connection`, async () => {
      const answer = await rawExchange(server.port, request);
      expect(answer.status).to.equal(status);
      expect(answer.headers).to.include({ connection: 'close', 'content-type': 'text/plain; charset=utf-8' });
      expect(answer.body.toString()).to.match(/^The .+\.$/);
      expect(parseAnswer(answer.raw).body.length).to.equal(Number(answer.headers['content-length']));
    });
  }
});
