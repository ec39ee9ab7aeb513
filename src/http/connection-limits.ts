import { ipNetworks } from '../vocabulary/ip-address.ts';

/** How many connections there may be, and how long they may take. */
export interface ConnectionLimits {
  /** Without a byte of a request that has begun. */
  readonly quietMs: number;
  /** From a request's first byte to its last. */
  readonly requestMs: number;
  /** Before the first request, and between two. */
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

/**
 * The limits of a service. It waits for whoever makes progress, such as a modem; what bounds the cost of slow attacks is the number of
 * connections. A proxy in front may have more patience.
 */
export const connectionLimits = ({ limits, access }: ConnectionSettings): ConnectionLimits => ({
  quietMs: 30_000,
  requestMs: 120_000,
  // Longer than a proxy keeps a connection that it may use at this moment for a POST, which it may not repeat: Google's load balancer 600 s,
  // nginx and others 60 s.
  keepAliveMs: access.trustedProxies.length > 0 ? 620_000 : 120_000,
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

/** Whoever has one address, or the connection of a proxy, which carries requests of many callers. */
export interface Network {
  readonly isProxy: boolean;
  connections: number;
  /** Pieces of its bodies that were parsed in a turn of the event loop, and which turn. */
  pieces: number;
  turn: number;
}
