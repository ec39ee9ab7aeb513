import { ipNetworks } from '../access/ip-networks.ts';
import type { ConnectionLimits } from '../http/limit-connections.ts';
import type { Config } from '../settings/config.ts';

/** How long nothing may move while an answer is owed, in milliseconds: far longer than any answer takes to be made. */
const STALLED_LIMIT = 60_000;

/** The limits of one process: connections are spread evenly over the processes, so that each has its share of them. */
export const connectionLimits = ({ limits, access }: Config, processes: number): ConnectionLimits => ({
  ...limits.connections,
  stalled: STALLED_LIMIT,
  most: Math.ceil(limits.connections.most / processes),
  mostPerAddress: Math.ceil(limits.connections.mostPerAddress / processes),
  isProxy: ipNetworks(access.trustedProxies),
});
