import { CORRELATION_HEADER } from './correlation-id.ts';
import { type Fault, RETRY_AFTER } from './faults.ts';

/** The authentication that is requested from a caller that cannot be identified. Source: RFC 7617. */
const CHALLENGE = 'Basic realm="TPWebServices", charset="UTF-8"';

/** Headers that are sent with a fault on every transport. */
export function faultHeaders(fault: Fault): Record<string, string> {
  const { code, correlationId, securityFault, retryAfter = RETRY_AFTER[code] } = fault;
  return {
    [CORRELATION_HEADER]: correlationId,
    ...(code === 'Unauthorized' && securityFault === undefined ? { 'WWW-Authenticate': CHALLENGE } : {}),
    ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
    // The rest of an oversized body is not read, so the connection can't be used again.
    ...(code === 'TooLarge' ? { Connection: 'close' } : {}),
  };
}
