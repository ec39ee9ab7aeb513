import { createServer, type Server } from 'node:net';
import { expect } from 'chai';
import { listenOn } from '../../src/http/listen-on.ts';
import { exchange } from '../../src/sms/http/http-gateway.ts';

describe('An exchange with an HTTP gateway', () => {
  let server: Server;
  afterEach(() => void server.close());
  const fateWith = async (limitMs: number) => {
    const url = new URL(`http://127.0.0.1:${await listenOn(server, '127.0.0.1', 0, 'none')}/`);
    return exchange({ method: 'POST', url, headers: {}, body: Buffer.from('x') }, limitMs);
  };

  for (const interim of ['HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n']) {
    it(`ends if it receives only ${interim.slice(9, 12)} responses, again and again`, async () => {
      server = createServer((socket) => {
        socket.on('error', () => {});
        const say = () => {
          while (socket.writable && socket.write(interim.repeat(100))) {
            // As much as can be sent.
          }
        };
        socket.on('drain', say).once('data', say);
      });
      expect(await fateWith(30_000)).to.include({ kind: 'unknown' });
    });
  }

  it('ends if the answer begins another protocol', async () => {
    const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';
    server = createServer((socket) => {
      socket.on('error', () => {}).once('data', () => socket.write(upgrade));
    });
    expect(await fateWith(500)).to.deep.equal({ kind: 'unknown', code: 'timeout' });
  });
});
