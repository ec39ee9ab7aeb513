import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { listenOperating } from '../../src/monitoring/operating-pages.ts';
import { SetUpError } from '../../src/vocabulary/errors.ts';

describe("The operator's port", () => {
  it('names its setting if another replica already uses it', async () => {
    const first = await listenOperating(new Map(), { host: '127.0.0.1', port: 0 }, []);
    try {
      const error: unknown = await listenOperating(new Map(), { host: '127.0.0.1', port: first.port }, []).catch(
        (thrown) => thrown,
      );
      expect(error).to.be.instanceOf(SetUpError);
      expect(String(error)).to.include(`OPERATIONS_PORT=${first.port}: another program listens on this port`);
    } finally {
      await first.close();
    }
  });

  describe('with a hostile neighbor', () => {
    const sockets: Socket[] = [];
    const open = (port: number, localAddress: string, bytes = ''): Socket => {
      const socket = connect({ port, host: '127.0.0.1', localAddress });
      socket.on('error', () => {});
      if (bytes !== '') socket.write(bytes);
      sockets.push(socket);
      return socket;
    };
    const ask = '\r\nGET /page HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const answerOf = (socket: Socket) =>
      new Promise<string>((resolve) => {
        socket.once('data', (chunk: Buffer) => resolve(chunk.toString().slice(0, 12)));
        socket.once('close', () => resolve('closed'));
      });
    afterEach(() => {
      for (const socket of sockets.splice(0)) socket.destroy();
    });

    it('answers a new caller while others hold as many silent connections as they can get', async () => {
      const server = await listenOperating(
        new Map([['/page', (_request, response) => response.end('x')]]),
        { host: '127.0.0.1', port: 0 },
        [],
      );
      try {
        for (let n = 0; n < 200; n++) open(server.port, `127.0.0.${2 + (n % 4)}`);
        expect(await answerOf(open(server.port, '127.0.0.9', ask))).to.equal('HTTP/1.1 200');
      } finally {
        await server.close();
      }
    });

    it('serves one request at a time on each connection, however many arrive at once', async () => {
      const responses: ServerResponse[] = [];
      const pages = new Map([
        ['/page', (_request: unknown, response: ServerResponse) => void responses.push(response)],
      ]);
      const server = await listenOperating(pages, { host: '127.0.0.1', port: 0 }, []);
      try {
        const socket = open(server.port, '127.0.0.1', ask.repeat(1000));
        let text = '';
        socket.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        const closed = new Promise((resolve) => socket.once('close', resolve));
        const answering = setInterval(() => {
          expect(responses.length).to.be.at.most(1);
          responses.pop()?.end('x');
        }, 1);
        await closed;
        clearInterval(answering);
        expect(text.match(/HTTP\/1\.1 \d+/g)).to.deep.equal([...Array(16).fill('HTTP/1.1 200'), 'HTTP/1.1 429']);
      } finally {
        await server.close();
      }
    });
  });
});
