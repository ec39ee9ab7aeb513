import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { perSuite } from '../../support/prepared.ts';
import { exchange, resultCodeOf } from './answers.ts';
import { startAttackedService } from './attacked-service.ts';
import { bodyOf, CONTENT_TYPES, envelope, operationElement, PATH, request, soapRequest } from './requests.ts';

const CONNECTIONS = 800;
const LENGTH = 60_000;
/** Bytes that the service holds of unfinished bodies: 16 MiB, plus overhead. All of them would be 48 MB and more. */
const MOST_LEFT = Math.ceil((16 * 1024 * 1024) / LENGTH);

describe('The service with bodies that never end', function () {
  this.timeout(60_000);
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  const service = perSuite(() => startAttackedService());
  const sockets: Socket[] = [];

  const title = 'drops those that began first, with 429, and still reads a large body that arrives at once';
  it(title, () =>
    service.attack(title, async () => {
      const before = service.process.residentMemory();
      const whole = request('POST', PATH, [['Content-Type', CONTENT_TYPES['1.1']]], 'x'.repeat(LENGTH));
      const held = whole.subarray(0, whole.length - 1);
      const answers: string[] = [];
      let open = CONNECTIONS;
      for (let n = 0; n < CONNECTIONS; n++) {
        const socket = connect({ port: service.port, host: '127.0.0.1', localAddress: `127.0.0.${2 + (n % 5)}` });
        socket.on('error', () => {});
        socket.on('data', (chunk: Buffer) => answers.push(chunk.toString('latin1', 9, 12)));
        socket.on('close', () => open--);
        socket.write(held);
        sockets.push(socket);
      }
      for (let turn = 0; turn < 500 && open > MOST_LEFT; turn++) await sleep(20);
      expect(open).to.be.within(1, MOST_LEFT);
      expect(new Set(answers)).to.deep.equal(new Set(['429']));
      const growth = service.process.residentMemory() - before;

      const large = envelope(
        '1.1',
        `${operationElement('GetDoctor', bodyOf('GetDoctor'))}<!--${'x'.repeat(LENGTH)}-->`,
      );
      const { answer } = await exchange(service.port, soapRequest('1.1', large));
      expect(resultCodeOf(answer)).to.equal(0);
      return `${(growth / 1e6).toFixed(0)} MB, ${open} of ${CONNECTIONS} left`;
    }),
  );

  const pieces = 'counts the pieces in which bodies arrive, because each takes more memory than its bytes';
  it(pieces, () =>
    service.attack(pieces, async () => {
      const chunks = '1\r\na\r\n'.repeat(4000);
      const head = `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/xml\r\nTransfer-Encoding: chunked\r\n\r\n`;
      let open = 0;
      for (let n = 0; n < 100; n++) {
        const socket = connect({ port: service.port, host: '127.0.0.1' });
        socket.on('error', () => {}).on('connect', () => open++);
        socket.on('close', () => open--).resume();
        socket.write(head + chunks);
        sockets.push(socket);
        // One after the other, so that what is measured is memory.
        await sleep(10);
      }
      // 4,000 pieces of one byte count as 8 MB, so two such bodies have room.
      for (let turn = 0; turn < 500 && open > 2; turn++) await sleep(20);
      expect(open).to.be.within(1, 2);
      return `${open} of 100 left`;
    }),
  );
});
