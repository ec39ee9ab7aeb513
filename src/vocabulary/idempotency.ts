/** Hours for which a repeated Idempotency-Key returns the first answer. */
export const IDEMPOTENCY_HOURS = 24;
/** The same in milliseconds. */
export const IDEMPOTENCY_WINDOW = IDEMPOTENCY_HOURS * 60 * 60 * 1000;
