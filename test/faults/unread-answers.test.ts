import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { type AttackedService, startAttackedService } from './attacked-service.ts';
import { PATH, request } from './requests.ts';

const CONNECTIONS = 30;
const REQUESTS = 1000;
/** Bytes. Thirty thousand answers would be 1.5 GB and more; sixteen a connection share what they hold. */
const MOST_GROWTH = 200e6;

describe('The service with answers that nobody reads', function () {
  this.timeout(120_000);
  let service: AttackedService;
  let sockets: Socket[];

  before(async () => {
    service = await startAttackedService();
  });
  beforeEach(() => {
    sockets = [];
  });
  after(() => service?.stop());

  /** Asks for much on many connections, of five addresses, and reads as `read` does. */
  const flood = async (path: string, read: (socket: Socket) => void): Promise<string> => {
    const before = service.process.residentMemory();
    const requests = Buffer.concat(Array.from({ length: REQUESTS }, () => request('GET', path, [])));
    for (let n = 0; n < CONNECTIONS; n++) {
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

  for (const [what, path] of [
    ['the WSDL', `${PATH}?wsdl`],
    ['a page', `${PATH}?op=Fetch_Details`],
    ['lists', `${PATH}/GetDoctor?centerid=1`],
  ] as const) {
    const title = `keeps little of ${what}, asked for a thousand times on each of thirty connections`;
    it(title, () => service.attack(title, () => flood(path, () => {})));
  }

  const title = 'keeps little where answers are read 4 kB at a time';
  it(title, () => service.attack(title, () => flood(`${PATH}?wsdl`, (socket) => void socket.read(4096))));
});
