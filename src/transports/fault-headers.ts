import { type Fault, RETRY_AFTER } from './faults.ts';

/** Headers that go with a fault on every transport. */
export function faultHeaders({ code, correlationId }: Fault): Record<string, string> {
  const retryAfter = RETRY_AFTER[code];
  return {
    'X-Correlation-Id': correlationId,
    ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
    // What is left of an oversized body is not read, so the connection can't be used again.
    ...(code === 'TooLarge' ? { Connection: 'close' } : {}),
  };
}
