import { createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { listenOn } from '../../../src/http/listen-on.ts';
import { createPduFrames, encodePdu, statusOf } from '../../../src/sms/smpp/pdu.ts';
import { openConnection, type SmppConnection } from '../../../src/sms/smpp/smpp-connection.ts';

const DELIVERIES = 3000;
/** What one process accepts at a time. */
const MOST_DELIVERIES = 1000;

describe('A hostile SMS center', () => {
  let server: Server;
  let peer: Socket | undefined;
  let connection: SmppConnection;
  afterEach(() => {
    connection?.end('over');
    peer?.destroy();
    server.close();
  });

  /** Connects; `act` receives the other end of the connection. */
  const connect = async (act: (socket: Socket) => void, onDelivery: () => Promise<void>): Promise<SmppConnection> => {
    server = createServer((socket) => {
      peer = socket;
      socket.on('error', () => {});
      act(socket);
    });
    const port = await listenOn(server, '127.0.0.1', 0, 'none');
    const address = { host: '127.0.0.1', port, tls: false };
    const { signal } = new AbortController();
    const opened = await openConnection({ address, timeoutMs: 5000, onDelivery, signal });
    if ('code' in opened) throw new Error(opened.code);
    connection = opened;
    return opened;
  };

  it('is disconnected if it keeps asking and reads no answer', async () => {
    const questions = Buffer.concat(Array.from({ length: 4096 }, (_, n) => encodePdu('enquire_link', n + 1)));
    const opened = await connect(
      (socket) => {
        socket.pause();
        const ask = () => {
          while (socket.writable && socket.write(questions)) {
            // As much as can be sent.
          }
        };
        socket.on('drain', ask);
        ask();
      },
      async () => {},
    );
    expect(await opened.closed).to.equal('answers-not-taken');
  });

  it('is asked to try again if it delivers thousands at once, and no more than a thousand are kept waiting', async () => {
    const delivery = (n: number) => encodePdu('deliver_sm', n + 1, { source_addr: '919845012345', short_message: 'x' });
    const statuses: number[] = [];
    let begun = 0;
    const refused = Promise.withResolvers<void>();
    await connect(
      (socket) => {
        const frames = createPduFrames();
        socket.on('data', (chunk: Buffer) => {
          for (const frame of frames(chunk)) statuses.push(frame.readUInt32BE(8));
          if (statuses.length === DELIVERIES - MOST_DELIVERIES) refused.resolve();
        });
        socket.write(Buffer.concat(Array.from({ length: DELIVERIES }, (_, n) => delivery(n))));
      },
      () => {
        begun++;
        return new Promise(() => {});
      },
    );
    await refused.promise;
    expect(begun).to.equal(MOST_DELIVERIES);
    expect(new Set(statuses)).to.deep.equal(new Set([statusOf('ESME_RX_T_APPN')]));
  });
});
