/** How fast and how persistently messages are sent. */
export interface OutboxLimits {
  /** Messages that may be in flight at the same time. */
  readonly window: number;
  /** Milliseconds without a sign of life after which another process takes over. */
  readonly lease: number;
  /** Attempts after which a message is dead. */
  readonly tries: number;
  /** Milliseconds: the base of the growing delays between attempts. */
  readonly retryBase: number;
}

/** `rate` is in messages per second. Half a second's worth of them may be in flight, but never fewer than 10. */
export const outboxLimits = (rate: number): OutboxLimits => ({
  window: Math.max(10, Math.ceil(rate / 2)),
  lease: 30_000,
  tries: 8,
  retryBase: 2000,
});
