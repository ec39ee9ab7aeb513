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
