import type { Server } from 'node:http';
import { Socket } from 'node:net';
import { ipNetworks, plainAddress, subscriberNetwork } from '../vocabulary/ip-address.ts';

/** How many connections there may be, and how long they may take. */
export interface ConnectionLimits {
  /** From the start of the connection, or from the first byte of a later request, to the end of the headers. */
  readonly headersMs: number;
  /** From the same moment to the end of the body. */
  readonly requestMs: number;
  /** Idle time between two requests. */
  readonly keepAliveMs: number;
  /** From the moment when an answer's turn comes, which may be before it is ready, until all of it has been sent. */
  readonly answerMs: number;
  /** Maximum number of open connections. */
  readonly most: number;
  /** Whether an address is that of a proxy, whose connections carry requests of many callers. */
  readonly isProxy: (address: string) => boolean;
}

/** What the settings say about connections. */
interface ConnectionSettings {
  readonly limits: { readonly connections: number };
  readonly access: { readonly trustedProxies: readonly string[] };
}

/** The limits of a service. Its patience is longer than any program needs; a proxy in front may have more. */
export const connectionLimits = ({ limits, access }: ConnectionSettings): ConnectionLimits => ({
  headersMs: 10_000,
  requestMs: 15_000,
  // Longer than a proxy keeps a connection that it may use at this moment for a POST, which it may not repeat: Google's load balancer 600 s,
  // nginx and others 60 s.
  keepAliveMs: access.trustedProxies.length > 0 ? 620_000 : 65_000,
  answerMs: 60_000,
  most: limits.connections,
  isProxy: ipNetworks(access.trustedProxies),
});

/** For what else the service opens: the database, the log, the operations port, the gateway, and Node itself. */
const OTHER_DESCRIPTORS = 48;

/**
 * How many connections a process has file descriptors for, by its diagnostic report. Beyond that, the system resets connections, and Node is
 * not told: a server that accepts no more than this many closes the others itself, and counts them. Node has raised the limit to the hard
 * one; Windows has none.
 */
export function possibleConnections(report: object): number {
  const { userLimits } = report as { readonly userLimits?: { readonly open_files: { readonly soft: unknown } } };
  const descriptors = userLimits?.open_files.soft;
  return typeof descriptors === 'number' ? Math.max(1, descriptors - OTHER_DESCRIPTORS) : Number.POSITIVE_INFINITY;
}

/** One in this many connections, rounded up, is the most that one network may have; as many, rounded down, are for networks without any. */
const ONE_IN = 10;

/** Secrets that a connection may log: a handshake has up to six. Programs make new ones after gigabytes, at 20 µs each. */
const MOST_SECRETS = 32;

export interface Connections {
  /** Those that are open. With TLS, these are the sockets beneath it. */
  readonly open: ReadonlySet<Socket>;
  /** How many were closed because there were too many. */
  readonly refused: () => number;
}

/**
 * Closes connections beyond the limits before any of their bytes are read. A few callers cannot take all connections, because none gets
 * more than its share, and the last ones are reserved for networks that have none. Over TLS, cuts all connections of a network one of which
 * makes keys without end (RFC 8446, 4.6.3), because OpenSSL makes all that have been requested before anything else happens.
 */
export function limitConnections(
  server: Server,
  { most, isProxy }: Pick<ConnectionLimits, 'most' | 'isProxy'>,
): Connections {
  const share = Math.ceil(most / ONE_IN);
  const unreserved = most - Math.floor(most / ONE_IN);
  const networkOf = ({ remoteAddress = '' }: Socket) =>
    isProxy(remoteAddress) ? undefined : subscriberNetwork(plainAddress(remoteAddress));
  let refused = 0;
  server.maxConnections = most;
  server.on('drop', () => refused++);
  const open = new Set<Socket>();
  const openOf = new Map<string, number>();
  server.prependListener('connection', (socket: Socket) => {
    // What `readInstead` reads again is of a connection that has been counted.
    if (!(socket instanceof Socket)) return;
    const network = networkOf(socket);
    const count = network === undefined ? 0 : (openOf.get(network) ?? 0);
    if (count >= share || (count > 0 && open.size >= unreserved)) {
      refused++;
      socket.destroy();
      return;
    }
    open.add(socket);
    if (network !== undefined) openOf.set(network, count + 1);
    socket.once('close', () => {
      open.delete(socket);
      if (network === undefined) return;
      const left = (openOf.get(network) ?? 1) - 1;
      if (left === 0) openOf.delete(network);
      else openOf.set(network, left);
    });
  });
  const secrets = new WeakMap<Socket, number>();
  server.on('keylog', (_line: Buffer, secure: Socket) => {
    const count = (secrets.get(secure) ?? 0) + 1;
    secrets.set(secure, count);
    if (count !== MOST_SECRETS) return;
    const network = networkOf(secure);
    const others = [...open].filter((socket) => socket.remotePort !== secure.remotePort);
    for (const socket of others) if (network !== undefined && networkOf(socket) === network) socket.destroy();
    // OpenSSL is still at work on this one.
    setImmediate(() => secure.destroy());
  });
  return { open, refused: () => refused };
}
