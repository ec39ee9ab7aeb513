import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** The connections of a server. */
export interface OpenConnections {
  count(): number;
  /** Those that have not requested anything yet: browsers open connections early, and Node does not count them as idle. */
  silent(): readonly Socket[];
}

export function openConnections(server: Server): OpenConnections {
  const open = socketsOf(server, 'connection');
  return { count: () => open.size, silent: () => [...open].filter(({ bytesRead }) => bytesRead === 0) };
}

/** The same over TLS, where each has already sent bytes of a handshake, which may still be in progress. */
export function openTlsConnections(server: Server): OpenConnections {
  const raw = socketsOf(server, 'connection');
  const secure = socketsOf(server, 'secureConnection') as ReadonlySet<TLSSocket>;
  const asked = new WeakSet<Socket>();
  server.on('request', ({ socket }: IncomingMessage) => asked.add(socket));
  // The two sockets of one connection have only their remote end in common.
  const keyOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
  return {
    count: () => raw.size,
    silent: () => {
      const busy = new Set([...secure].filter((socket) => asked.has(socket)).map(keyOf));
      return [...raw].filter((socket) => !busy.has(keyOf(socket)));
    },
  };
}

function socketsOf(server: Server, event: 'connection' | 'secureConnection'): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  server.on(event, (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return open;
}
