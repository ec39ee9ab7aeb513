import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import express, { type Response } from 'express';
import type { HttpServer } from '../../../src/http/http-server.ts';
import { listenHere } from '../../support/http/listen-here.ts';

const MOST = 16;
const LARGE = Buffer.alloc(8 * 1024 * 1024, 'a');

describe('Requests on one connection', () => {
  let server: HttpServer | undefined;
  let socket: Socket | undefined;
  afterEach(async () => {
    socket?.destroy();
    await server?.close();
  });

  const started: string[] = [];
  const responses: Response[] = [];
  const start = async (handle: (response: Response) => void, answerMs = 60_000): Promise<Socket> => {
    started.length = 0;
    responses.length = 0;
    const app = express();
    app.use((request, response) => {
      started.push(request.url);
      responses.push(response);
      request.resume();
      handle(response);
    });
    server = await listenHere(app, { answerMs });
    const opened = connect(server.port, '127.0.0.1');
    opened.on('error', () => {});
    socket = opened;
    await new Promise((resolve) => opened.once('connect', resolve));
    return opened;
  };
  const until = async (isSo: () => boolean) => {
    for (let turn = 0; turn < 1000 && !isSo(); turn++) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(isSo()).to.equal(true);
  };
  const post = (n: number) => `POST /${n} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc`;
  const paths = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `/${from + n}`);

  it('are forgotten with their answers, although the connection stays open', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const kept: WeakRef<object>[] = [];
    const client = await start((response) => {
      kept.push(new WeakRef(response.req));
      response.end();
    });
    let received = '';
    client.on('data', (data) => {
      received += data;
    });
    client.write(post(0));
    await until(() => received.includes('\r\n\r\n'));
    responses.length = 0;
    await until(() => {
      collect();
      return kept[0]?.deref() === undefined;
    });
    expect(client.destroyed).to.equal(false);
  });

  it('are served one after the other, each once and in order', async () => {
    const client = await start(() => {});
    let answers = 0;
    client.on('data', (chunk: Buffer) => {
      answers += chunk.toString().split('HTTP/1.1 200').length - 1;
    });
    client.write(Array.from({ length: MOST }, (_, n) => post(n)).join(''));
    for (let n = 0; n < 2 * MOST; n++) {
      await until(() => responses[n] !== undefined);
      expect(started.length).to.equal(n + 1);
      responses[n]?.end('x');
      await until(() => answers === n + 1);
      // An answered request makes room for another.
      if (n < MOST) client.write(post(MOST + n));
    }
    expect(started).to.deep.equal(paths(0, 2 * MOST));
  });

  for (const many of [MOST + 1, 2000]) {
    it(`are answered up to the sixteenth if ${many} are sent at once, and the connection is closed with 429`, async () => {
      const client = await start((response) => void response.end('x'));
      let text = '';
      client.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      const closed = new Promise((resolve) => client.once('close', resolve));
      client.write(Array.from({ length: many }, (_, n) => post(n)).join(''));
      await closed;
      expect(started).to.deep.equal(paths(0, MOST));
      expect(text.match(/HTTP\/1\.1 \d+/g)).to.deep.equal([
        ...Array.from({ length: MOST }, () => 'HTTP/1.1 200'),
        'HTTP/1.1 429',
      ]);
    });
  }

  it('that are waiting are not served after the client has gone, which is noticed before anything is written', async () => {
    const client = await start(() => {});
    client.write(Array.from({ length: MOST }, (_, n) => post(n)).join(''));
    await until(() => started.length === 1);
    client.resetAndDestroy();
    await until(() => server?.connections() === 0);
    responses[0]?.end(LARGE);
    await new Promise((resolve) => setImmediate(resolve));
    expect(started).to.deep.equal(paths(0, 1));
  });

  it('are cut off if their answer takes too long in total, even while it is being read', async () => {
    const client = await start((response) => void response.end(LARGE), 400);
    client.pause();
    let taken = 0;
    client.write(post(0));
    await until(() => {
      taken += client.read(4096)?.length ?? 0;
      return server?.connections() === 0;
    });
    expect(taken).to.be.within(1, LARGE.length - 1);
  });

  it('may continue as long as each is answered in time', async () => {
    const client = await start((response) => void response.end('x'), 200);
    client.resume();
    let closed = false;
    client.once('close', () => {
      closed = true;
    });
    const began = performance.now();
    for (let n = 0; performance.now() - began < 800; n++) {
      client.write(post(n));
      await until(() => started.length === n + 1);
    }
    expect(closed).to.equal(false);
  });
});
