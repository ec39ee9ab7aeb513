import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A port on this machine that leads to another one. */
export interface TcpWay {
  readonly port: number;
  /** New connections lead there; open ones stay. */
  leadTo(port: number): void;
  /** Ends all connections. */
  cut(): void;
  /** Ends all connections, and accepts no others. */
  close(): void;
}

/** Leads to `port`; listens on `own`, or on a free port. */
export async function tcpWay(port: number, own = 0): Promise<TcpWay> {
  let target = port;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const onward = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  }).listen(own, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    leadTo: (other) => {
      target = other;
    },
    cut,
    close: () => {
      server.close();
      cut();
    },
  };
}
