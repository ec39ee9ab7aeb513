import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { ipNetworks, plainAddress, subscriberNetwork } from '../access/ip-address.ts';

/** How many connections there may be, and how long they may take. Milliseconds. */
export interface ConnectionLimits {
  /** From the start of the connection, or from the first byte of a later request, to the end of the headers. */
  readonly headers: number;
  /** The same, to the end of the body. */
  readonly request: number;
  /** Idle time between two requests. */
  readonly keepAlive: number;
  /** Time without a byte in either direction while an answer is due or is not being read. */
  readonly stalled: number;
  /** From the moment when an answer's turn comes, which may be before it is ready, until all of it has been sent. */
  readonly answer: number;
  /** Maximum number of open connections. */
  readonly most: number;
  /** Maximum number of open connections from one address; 0 means no limit. */
  readonly mostPerAddress: number;
  /** Whether an address is that of a proxy, whose connections carry requests of many callers. */
  readonly isProxy: (address: string) => boolean;
}

/** What the settings say about connections. */
interface ConnectionSettings {
  readonly limits: { readonly connections: number };
  readonly access: { readonly trustedProxies: readonly string[] };
}

/** One in this many connections may be of one address. */
const ONE_ADDRESS_IN = 10;

/** The limits of a service. Its patience is longer than any program needs; a proxy in front may have more. */
export const connectionLimits = ({ limits, access }: ConnectionSettings): ConnectionLimits => ({
  headers: 10_000,
  request: 15_000,
  keepAlive: 65_000,
  // Nothing is transferred while an answer is being prepared, but preparing one never takes nearly this long.
  stalled: 60_000,
  // The same for an answer that the client reads a little at a time.
  answer: 60_000,
  most: limits.connections,
  mostPerAddress: Math.ceil(limits.connections / ONE_ADDRESS_IN),
  isProxy: ipNetworks(access.trustedProxies),
});

/** One in this many connections, rounded down, is reserved for networks that have none yet. */
const RESERVED_ONE_IN = 10;

/**
 * Closes connections beyond the limits before any of their bytes are read. The function that it returns tells how many there were. A few
 * callers cannot take all connections, because the last ones are reserved for networks that have none.
 */
export function limitConnections(
  server: Server,
  { most, mostPerAddress, isProxy }: Pick<ConnectionLimits, 'most' | 'mostPerAddress' | 'isProxy'>,
): () => number {
  const unreserved = most - Math.floor(most / RESERVED_ONE_IN);
  let refused = 0;
  let all = 0;
  server.maxConnections = most;
  server.on('drop', () => refused++);
  const open = new Map<string, number>();
  server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    const network = isProxy(remoteAddress) ? undefined : subscriberNetwork(plainAddress(remoteAddress));
    const count = network === undefined ? 0 : (open.get(network) ?? 0);
    if (count > 0 && (count === mostPerAddress || all >= unreserved)) {
      refused++;
      socket.destroy();
      return;
    }
    all++;
    if (network !== undefined) open.set(network, count + 1);
    socket.once('close', () => {
      all--;
      if (network === undefined) return;
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
  });
  return () => refused;
}
