import { ipNetworks } from '../access/ip-networks.ts';
import type { ConnectionLimits } from '../http/limit-connections.ts';
import type { Config } from '../settings/config.ts';

/** How long a request may take to come, from its first byte, in milliseconds. */
const PATIENCE = {
  headers: 10_000,
  request: 15_000,
  // Nothing moves while an answer is owed: far longer than any answer takes to be made.
  stalled: 60_000,
  // The same for an answer that is read a little at a time.
  answer: 60_000,
};

/** The limits of one process: connections are spread evenly over the processes, so that each has its share of them. */
export const connectionLimits = ({ limits, access }: Config, processes: number): ConnectionLimits => ({
  ...limits.connections,
  ...PATIENCE,
  most: Math.ceil(limits.connections.most / processes),
  mostPerAddress: Math.ceil(limits.connections.mostPerAddress / processes),
  isProxy: ipNetworks(access.trustedProxies),
});
