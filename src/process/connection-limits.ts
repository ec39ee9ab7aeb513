import { ipNetworks } from '../access/ip-networks.ts';
import type { ConnectionLimits } from '../http/limit-connections.ts';
import type { Config } from '../settings/config.ts';

/** How long a request may take to arrive, from its first byte, in milliseconds. */
const PATIENCE = {
  headers: 10_000,
  request: 15_000,
  // Nothing is transferred while an answer is being prepared, but preparing one never takes nearly this long.
  stalled: 60_000,
  // The same for an answer that the client reads a little at a time.
  answer: 60_000,
};

/** The limits of one process: connections are spread evenly over the processes, so each process gets its share of the limits. */
export const connectionLimits = ({ limits, access }: Config, processes: number): ConnectionLimits => ({
  ...limits.connections,
  ...PATIENCE,
  most: Math.ceil(limits.connections.most / processes),
  mostPerAddress: Math.ceil(limits.connections.mostPerAddress / processes),
  isProxy: ipNetworks(access.trustedProxies),
});
