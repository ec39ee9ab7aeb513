import { ANONYMOUS_CLIENT } from '../vocabulary/anonymous-client.ts';
import type { Transport } from '../vocabulary/transport.ts';

/** Who calls: a program that the hospital knows by name, and what it may do. What is absent is not limited. */
export interface Client {
  /** As the clients file names it; for the log and the audit. */
  readonly name: string;
  /** The operations that it may call, by the contract's names. */
  readonly operations?: ReadonlySet<string>;
  /** The transports that it may call over. */
  readonly transports?: ReadonlySet<Transport>;
  /** The centers whose data it may see and change, by `centerid`. */
  readonly centers?: ReadonlySet<number>;
  /** How a refusal by the hospital's rules is answered to it, where that is not as for everybody. */
  readonly refusals?: 'fault' | 'result';
  /** Calls a minute, 0 for any number, where that is not as for everybody. */
  readonly ratePerMinute?: number;
}

/** Whoever calls while no clients file says who may. */
export const ANONYMOUS: Client = { name: ANONYMOUS_CLIENT };
