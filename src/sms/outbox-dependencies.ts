import type { Budgets } from '../log/budgets.ts';
import type { Log } from '../log/log.ts';
import type { Store } from '../store/store.ts';
import type { ChosenGateway } from './gateway.ts';
import type { OutboxLimits } from './outbox-limits.ts';

export interface OutboxDependencies extends OutboxLimits {
  readonly store: Store;
  readonly gateway: ChosenGateway;
  /** IANA time zone in which the hours for promotional messages apply. */
  readonly timeZone: string;
  /** Messages per second. */
  readonly rate: number;
  /** A name for this process, unique among all processes that share the database. */
  readonly newHolder: () => string;
  readonly log: Log;
  readonly budgets: Budgets;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** At least 0 and below 1. */
  readonly random: () => number;
  /** Resolves after that many milliseconds, or rejects once the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}
