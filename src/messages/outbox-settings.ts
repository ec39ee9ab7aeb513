import type { Budgets } from '../log/budgets.ts';
import type { Log } from '../log/log.ts';
import type { Store } from '../store/store.ts';
import type { Machine } from '../vocabulary/machine.ts';
import type { ChosenGateway } from './gateways/gateway.ts';

/** How fast and how persistently messages are sent. */
export const outboxLimits = (messagesPerSecond: number) => ({
  /** Messages that may be in flight at the same time: half a second's worth, but never fewer than 10. */
  window: Math.max(10, Math.ceil(messagesPerSecond / 2)),
  /** Time without a sign of life after which another process takes over. */
  leaseMs: 30_000,
  /** Attempts after which a message is dead. */
  tries: 8,
  /** The base of the growing delays between attempts. */
  retryBaseMs: 2000,
});
export type OutboxLimits = Readonly<ReturnType<typeof outboxLimits>>;

export interface OutboxDependencies
  extends OutboxLimits,
    Pick<Machine, 'clock' | 'stopwatch' | 'pause' | 'random' | 'newId' | 'environment'> {
  readonly store: Store;
  /** This machine's. `clock` is the store's. */
  readonly machineClock: Machine['clock'];
  readonly gateway: ChosenGateway;
  /** Segments per second. */
  readonly rate: number;
  /** IANA time zone in which the hours for promotional messages apply. */
  readonly timeZone: string;
  readonly log: Log;
  readonly budgets: Budgets;
}
