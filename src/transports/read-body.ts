import bodyParser from 'body-parser';
import type { Request, RequestHandler } from 'express';
import { ServiceError } from '../errors.ts';

/** Bytes of the largest body that is read. */
export const LARGEST_BODY = 64 * 1024;

const raw = bodyParser.raw({ type: () => true, limit: LARGEST_BODY, inflate: false });

/**
 * Reads the whole body into `request.body` as a Buffer. A compressed body is refused before a byte of it is read: unpacking
 * is how a few bytes become many.
 */
export const readBody: RequestHandler = (request, response, next) => {
  if (request.headers['content-encoding'] !== undefined) {
    next(new ServiceError('UnsupportedMediaType', 'Content-Encoding is not supported; send the body as it is.'));
    return;
  }
  raw(request, response, (error?: unknown) => next(error === undefined ? undefined : bodyError(error)));
};

/** The body that `readBody` read; empty if there was none. */
export const bodyOf = (request: Request): Buffer => (Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));

/** body-parser's errors carry a `type`. Source: its README, "Errors". */
function bodyError(error: unknown): unknown {
  const { type } = error as { type?: unknown };
  if (type === 'entity.too.large') {
    return new ServiceError('TooLarge', `The body is larger than ${LARGEST_BODY} bytes.`, { reason: 'body' });
  }
  if (type === 'request.aborted' || type === 'request.size.invalid') {
    return new ServiceError('Malformed', 'The body ended before its Content-Length.', { reason: 'body', cause: error });
  }
  return error;
}
