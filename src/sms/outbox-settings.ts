import type { Budgets } from '../log/budgets.ts';
import type { Log } from '../log/log.ts';
import type { Store } from '../store/store.ts';
import type { ChosenGateway } from './gateway.ts';

/** How fast and how persistently messages are sent. */
export interface OutboxLimits {
  /** Messages that may be in flight at the same time. */
  readonly window: number;
  /** Time without a sign of life after which another process takes over. */
  readonly leaseMs: number;
  /** Attempts after which a message is dead. */
  readonly tries: number;
  /** The base of the growing delays between attempts. */
  readonly retryBaseMs: number;
}

/** Half a second's worth of messages may be in flight, but never fewer than 10. */
export const outboxLimits = (messagesPerSecond: number): OutboxLimits => ({
  window: Math.max(10, Math.ceil(messagesPerSecond / 2)),
  leaseMs: 30_000,
  tries: 8,
  retryBaseMs: 2000,
});

export interface OutboxDependencies extends OutboxLimits {
  readonly store: Store;
  readonly gateway: ChosenGateway;
  /** Messages per second. */
  readonly rate: number;
  /** IANA time zone in which the hours for promotional messages apply. */
  readonly timeZone: string;
  /** A name for this process, unique among all processes that share the database. */
  readonly newHolder: () => string;
  readonly log: Log;
  readonly budgets: Budgets;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Monotonic time in milliseconds. */
  readonly stopwatch: () => number;
  /** At least 0 and below 1. */
  readonly random: () => number;
  /** Resolves after that many milliseconds, or rejects once the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}
