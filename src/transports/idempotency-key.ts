import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../vocabulary/errors.ts';

/** Visible ASCII, as sent in the header; the quotes are part of the key. Source: the IETF's draft of the Idempotency-Key header. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** The caller's Idempotency-Key, or undefined. Throws ServiceError `Malformed` for one that is empty, too long or sent twice. */
export function idempotencyKeyOf({ headers }: IncomingMessage): string | undefined {
  const header = headers['idempotency-key'];
  if (header === undefined) return undefined;
  if (typeof header === 'string' && KEY.test(header)) return header;
  throw new ServiceError(
    'Malformed',
    'The Idempotency-Key header is not a single key; expected 1 to 255 visible ASCII characters without spaces.',
    { reason: 'idempotency-key' },
  );
}
