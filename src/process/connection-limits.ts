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

export const connectionLimits = ({ limits, access }: Config): ConnectionLimits => ({
  ...limits.connections,
  ...PATIENCE,
  isProxy: ipNetworks(access.trustedProxies),
});
