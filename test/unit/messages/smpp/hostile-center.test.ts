import { createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { listenOn } from '../../../../src/http/listen-on.ts';
import { encodePdu, PduFrames, statusOf } from '../../../../src/messages/gateways/pdu.ts';
import { SmppConnection } from '../../../../src/messages/gateways/smpp-connection.ts';

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
    const opened = await SmppConnection.open({ address, timeoutMs: 5000, onDelivery, signal, clock: Date.now });
    if ('code' in opened) throw new Error(opened.code);
    connection = opened;
    return opened;
  };

  /** Writes the same as fast as the other end reads it. */
  const flood = (socket: Socket, octets: Buffer) => {
    const write = () => {
      while (socket.writable && socket.write(octets)) {
        // As much as can be sent.
      }
    };
    socket.on('drain', write);
    write();
  };
  const many = (command: string, fields = {}) =>
    Buffer.concat(Array.from({ length: 4096 }, (_, n) => encodePdu(command, n + 1, fields)));

  for (const command of ['enquire_link', 'alert_notification', 'submit_sm_resp']) {
    it(`is disconnected if it sends ${command} as fast as it can`, async () => {
      const opened = await connect(
        (socket) => flood(socket.resume(), many(command)),
        async () => {},
      );
      expect(await opened.closed).to.equal('too-many-requests');
    });
  }

  it('is disconnected if it keeps delivering and reads no answer', async () => {
    const opened = await connect(
      (socket) => flood(socket.pause(), many('data_sm')),
      // The first thousand wait, so that the others, which the system's buffers need by the ten thousand, are answered at once.
      () => new Promise(() => {}),
    );
    expect(await opened.closed).to.equal('responses-not-taken');
  });

  it('does not hold up the process with deliveries at full speed', async () => {
    let [delivered, inOneTurn, most] = [0, 0, 0];
    const enough = Promise.withResolvers<void>();
    const turn = () => {
      inOneTurn = 0;
      if (delivered < 10_000) setImmediate(turn);
      else enough.resolve();
    };
    turn();
    await connect(
      (socket) => flood(socket.resume(), many('deliver_sm', { esm_class: 4, short_message: 'id:5 stat:DELIVRD' })),
      async () => {
        delivered++;
        most = Math.max(most, ++inOneTurn);
      },
    );
    await enough.promise;
    expect(most).to.be.below(200);
  });

  it('is asked to try again if it delivers thousands at once, and no more than a thousand are kept waiting', async () => {
    const delivery = (n: number) => encodePdu('deliver_sm', n + 1, { source_addr: '919845012345', short_message: 'x' });
    const statuses: number[] = [];
    let begun = 0;
    const refused = Promise.withResolvers<void>();
    await connect(
      (socket) => {
        const frames = new PduFrames();
        socket.on('data', (chunk: Buffer) => {
          for (const frame of frames.take(chunk)) statuses.push(frame.readUInt32BE(8));
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
