import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../vocabulary/errors.ts';

/** Creates the id that connects an answer with the log. */
export type NewCorrelationId = () => string;

export const newCorrelationId: NewCorrelationId = () => randomUUID();

/** Header with the id in every answer to a call. */
export const CORRELATION_HEADER = 'X-Correlation-Id';

/** Characters without a special meaning in logs, headers, XML and shells. */
const SAFE_ID = /^[A-Za-z0-9._:-]{1,64}$/;

/** Version, trace, span, flags; an all-zero trace id is invalid. Source: W3C Trace Context, 3.2. */
const TRACE_PARENT = /^(?!ff)[0-9a-f]{2}-((?!0{32})[0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/;

/** Visible ASCII, as sent in the header; the quotes are part of the key. Source: the IETF's draft of the Idempotency-Key header. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * The id of a request: the caller's own, from `X-Request-Id` or else the trace id of `traceparent`, so that a single id finds a call in the
 * logs of every system that it passed through. A new id if neither header is present and valid.
 */
export function correlationIdOf({ headers }: IncomingMessage, create: NewCorrelationId): string {
  const own = headers['x-request-id'];
  if (typeof own === 'string' && SAFE_ID.test(own)) return own;
  const parent = headers.traceparent;
  return (typeof parent === 'string' ? TRACE_PARENT.exec(parent)?.[1] : undefined) ?? create();
}

/** The caller's Idempotency-Key, or undefined if it is absent or empty. Throws ServiceError `Malformed` for one too long or sent twice. */
export function idempotencyKeyOf({ headers }: IncomingMessage): string | undefined {
  const header = headers['idempotency-key'];
  if (header === undefined || header === '') return undefined;
  if (typeof header === 'string' && IDEMPOTENCY_KEY.test(header)) return header;
  throw new ServiceError(
    'Malformed',
    'The Idempotency-Key header is not a single key; expected 1 to 255 visible ASCII characters without spaces.',
    { reason: 'idempotency-key' },
  );
}
