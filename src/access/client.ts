import { ANONYMOUS_CLIENT } from '../vocabulary/anonymous-client.ts';
import type { Transport } from '../vocabulary/transport.ts';

/** A caller: a program that the hospital knows by name, and what it may do. A field that is absent sets no limit. */
export interface Client {
  /** Its name in the clients file; for the log and the audit. */
  readonly name: string;
  /** The operations that it may call, by their names in the contract. */
  readonly operations?: ReadonlySet<string>;
  /** The transports that it may call over. */
  readonly transports?: ReadonlySet<Transport>;
  /** The centers whose data it may see and change, by `centerid`. */
  readonly centers?: ReadonlySet<number>;
  /** How a refusal by the hospital's rules is answered to it, if not as for everybody. */
  readonly refusals?: 'fault' | 'result';
  /** Calls per minute, 0 for any number, if not as for everybody. */
  readonly ratePerMinute?: number;
}

/** Anyone who calls while no clients file says who may. */
export const ANONYMOUS: Client = { name: ANONYMOUS_CLIENT };
