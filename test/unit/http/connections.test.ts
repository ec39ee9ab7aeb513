import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import { type ConnectionLimits, connectionLimits } from '../../../src/http/connection-limits.ts';
import type { HttpServer } from '../../../src/http/http-server.ts';
import { readConfig } from '../../../src/settings/config.ts';
import { listenHere } from '../../support/http/listen-here.ts';

it('A connection stays open for longer than a proxy in front uses it, such as the 600 s of Google’s load balancer', () => {
  const secondsOf = (settings: Readonly<Record<string, string>>) =>
    connectionLimits(readConfig(settings)).keepAliveMs / 1000;
  expect(secondsOf({})).to.equal(120);
  expect(secondsOf({ TRUSTED_PROXIES: '10.0.0.1' })).to.be.within(610, 700);
});

describe('A server with a connection limit', () => {
  let server: HttpServer;
  const sockets: Socket[] = [];
  const start = async (limits: Partial<ConnectionLimits>) => {
    const app = express();
    app.get('/', (_request, response) => void response.send('here'));
    server = await listenHere(app, limits);
  };
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await server.close();
  });

  /** Opens a connection that stays open, and reports whether it is answered. */
  const knock = (localAddress = '127.0.0.1'): Promise<boolean> => {
    const socket = connect({ port: server.port, host: '127.0.0.1', localAddress });
    sockets.push(socket);
    return new Promise((resolve) => {
      socket.once('data', () => resolve(true));
      socket.once('close', () => resolve(false));
      // A connection that the server closes may be reset.
      socket.on('error', () => resolve(false));
      socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    });
  };

  it('closes connections of an address beyond its tenth, and accepts those of others', async () => {
    await start({ most: 20 });
    expect([await knock(), await knock(), await knock(), await knock()]).to.deep.equal([true, true, false, false]);
    expect(await knock('127.0.0.2')).to.equal(true);
    expect(server.refusedConnections()).to.equal(2);
  });

  it('accepts another connection when one is closed', async () => {
    await start({ most: 10 });
    expect(await knock()).to.equal(true);
    expect(await knock()).to.equal(false);
    for (const socket of sockets.splice(0)) socket.destroy();
    while (server.connections() > 0) await new Promise(setImmediate);
    expect(await knock()).to.equal(true);
  });

  it('lets a proxy open as many as it needs', async () => {
    await start({ most: 10, isProxy: (address) => address === '127.0.0.3' });
    expect([await knock('127.0.0.3'), await knock('127.0.0.3'), await knock('127.0.0.3')]).to.deep.equal([
      true,
      true,
      true,
    ]);
  });

  it('reserves the last tenth for addresses without a connection', async () => {
    await start({ most: 20 });
    for (let n = 1; n <= 9; n++) {
      expect([await knock(`127.0.0.${n}`), await knock(`127.0.0.${n}`)]).to.deep.equal([true, true]);
    }
    expect([await knock('127.0.0.10'), await knock('127.0.0.10'), await knock('127.0.0.11')]).to.deep.equal([
      true,
      false,
      true,
    ]);
    expect(await knock('127.0.0.12')).to.equal(false);
  });

  it('closes connections beyond the overall limit', async () => {
    await start({ most: 1 });
    expect([await knock(), await knock('127.0.0.2')]).to.deep.equal([true, false]);
    expect(server.refusedConnections()).to.equal(1);
  });
});
