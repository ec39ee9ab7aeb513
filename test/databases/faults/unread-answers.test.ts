import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { perSuite } from '../../support/prepared.ts';
import { startAttackedService } from './attacked-service.ts';
import { PATH, request } from './requests.ts';

const CONNECTIONS = 30;
const REQUESTS = 1000;
const TINY = 'GET / HTTP/1.1\r\nHost:a\r\n\r\n';
/** Bytes. Thirty thousand answers would be 1.5 GB and more; each connection holds one. */
const MOST_GROWTH = 75e6;

describe('The service with answers that nobody reads', function () {
  this.timeout(120_000);
  const service = perSuite(() => startAttackedService());
  let sockets: Socket[];

  beforeEach(() => {
    sockets = [];
  });

  /** Sends many requests on many connections, from five addresses, and reads as `read` does. */
  const flood = async (
    requests: Buffer,
    read: (socket: Socket) => void,
    connections = CONNECTIONS,
  ): Promise<string> => {
    const before = service.process.residentMemory();
    for (let n = 0; n < connections; n++) {
      const socket = connect({ port: service.port, host: '127.0.0.1', localAddress: `127.0.0.${2 + (n % 5)}` });
      socket.on('error', () => {});
      socket.pause();
      socket.write(requests);
      sockets.push(socket);
    }
    let growth = 0;
    for (let turn = 0; turn < 60; turn++) {
      await sleep(50);
      for (const socket of sockets) read(socket);
      growth = Math.max(growth, service.process.residentMemory() - before);
    }
    for (const socket of sockets) socket.destroy();
    expect(growth).to.be.below(MOST_GROWTH);
    return `${(growth / 1e6).toFixed(0)} MB while unread`;
  };

  const requestsFor = (path: string): Buffer =>
    Buffer.concat(Array.from({ length: REQUESTS }, () => request('GET', path, [])));

  for (const [what, path] of [
    ['the WSDL', `${PATH}?wsdl`],
    ['a page', `${PATH}?op=Fetch_Details`],
    ['lists', `${PATH}/GetDoctor?centerid=1`],
  ] as const) {
    const title = `keeps little of ${what} in memory, requested a thousand times on each of thirty connections`;
    it(title, () => service.attack(title, () => flood(requestsFor(path), () => {})));
  }

  const slowly = 'keeps little in memory if answers are read 4 kB at a time';
  it(slowly, () =>
    service.attack(slowly, () => flood(requestsFor(`${PATH}?wsdl`), (socket) => void socket.read(4096))),
  );

  // Node reads 64 KiB at once: if parsing had no end, half a million requests would become objects before anybody else is served.
  const tiny = 'stops reading the shortest requests when 2500 of them arrive on each of 200 connections';
  it(tiny, () =>
    service.attack(tiny, () => flood(Buffer.from(TINY.repeat(2500)), (socket) => void socket.resume(), 200)),
  );
});
