import { randomUUID } from 'node:crypto';

/** Makes the id that ties an answer to the log. */
export type NewCorrelationId = () => string;

export const newCorrelationId: NewCorrelationId = () => randomUUID();
