import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { listenOperating } from '../../../src/doctor/operating-pages.ts';
import type { HttpServer } from '../../../src/http/http-server.ts';
import { SetUpError } from '../../../src/vocabulary/errors.ts';

describe("The operator's port", () => {
  const servers: HttpServer[] = [];
  const listen = async (pages: Parameters<typeof listenOperating>[0], port = 0) => {
    const server = await listenOperating(pages, { host: '127.0.0.1', port }, []);
    servers.push(server);
    return server;
  };
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });

  it('names its setting if another replica already uses it', async () => {
    const { port } = await listen(new Map());
    const error: unknown = await listen(new Map(), port).catch((thrown) => thrown);
    expect(error).to.be.instanceOf(SetUpError);
    expect(String(error)).to.include(`OPERATIONS_PORT=${port}: another program listens on this port`);
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
      const { port } = await listen(new Map([['/page', (_request, response) => response.end('x')]]));
      for (let n = 0; n < 200; n++) open(port, `127.0.0.${2 + (n % 4)}`);
      expect(await answerOf(open(port, '127.0.0.9', ask))).to.equal('HTTP/1.1 200');
    });

    it('serves one request at a time on each connection, however many arrive at once', async () => {
      const responses: ServerResponse[] = [];
      const pages = new Map([
        ['/page', (_request: unknown, response: ServerResponse) => void responses.push(response)],
      ]);
      const { port } = await listen(pages);
      const socket = open(port, '127.0.0.1', ask.repeat(1000));
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
    });
  });
});
