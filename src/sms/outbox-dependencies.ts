import type { Log } from '../log/log.ts';
import type { Store } from '../store/store.ts';
import type { ChosenGateway } from './choose-gateway.ts';
import type { Timers } from './interruptible-pause.ts';

export interface OutboxDependencies {
  readonly store: Store;
  readonly gateway: ChosenGateway;
  /** IANA zone whose clock opens and closes the promotional window. */
  readonly timeZone: string;
  /** Messages a second. */
  readonly rate: number;
  /** Milliseconds without a sign of life after which another process takes over. */
  readonly lease: number;
  readonly tries: number;
  /** Milliseconds: the base of the growing waits between tries. */
  readonly retryBase: number;
  /** A name for this process among all that share the database; no two are the same. */
  readonly newHolder: () => string;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly timers: Timers;
}
