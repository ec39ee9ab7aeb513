/** Hours that an Idempotency-Key stands for the first answer that it got. */
export const IDEMPOTENCY_HOURS = 24;
