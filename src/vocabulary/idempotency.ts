/** Hours for which an Idempotency-Key returns the first answer that it got. */
export const IDEMPOTENCY_HOURS = 24;
/** The same in milliseconds. */
export const IDEMPOTENCY_WINDOW = IDEMPOTENCY_HOURS * 60 * 60 * 1000;
