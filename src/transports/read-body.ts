import type { Request, RequestHandler, Response } from 'express';
import { ServiceError } from '../vocabulary/errors.ts';
import { UnfinishedBodies } from './unfinished-bodies.ts';

/** Maximum size in bytes of a body that is read. */
export const LARGEST_BODY = 64 * 1024;

/** Maximum number of chunks of a body: a chunk costs the same whether it contains one byte or thousands. */
const MOST_CHUNKS = 4096;

/** Nearly all bodies have at most this many bytes, and arrive in one piece. They are not counted as unfinished. */
const SMALL_BODY = 4 * 1024;
/** One for the process, whose memory it protects: services in one process share it. */
const unfinished = new UnfinishedBodies(16 * 1024 * 1024);

/**
 * Reads the whole body into `request.body` as a Buffer. A compressed body is refused before any of it is read, because unpacking can turn a
 * few bytes into many. A body that is too large is refused as soon as that is known, because an endless one has no end.
 */
export const readBody: RequestHandler = (request, response, next) => {
  const encoded = encodingError(request);
  if (encoded !== undefined) {
    next(encoded);
    return;
  }
  // It will emit no more events: a listener would wait forever, and the body would count as unfinished forever.
  if (request.destroyed) {
    next(endedEarly());
    return;
  }
  const declared = request.headers['content-length'];
  // No limit is below 1,000 bytes, and V8 takes 700 instructions to convert a text that was just received.
  const length = declared === undefined || declared.length <= 3 ? 0 : Number(declared);
  if (length > LARGEST_BODY) {
    next(tooLarge());
    return;
  }
  // RFC 9110, 10.1.1
  if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
  let answered = false;
  const once = (error?: unknown) => {
    if (answered) return;
    answered = true;
    next(error);
  };
  const isChunked = request.headers['transfer-encoding'] !== undefined;
  if (isChunked || length > SMALL_BODY) countUnfinished(request, response, once);
  collectChunks(request, isChunked ? MOST_CHUNKS : Number.POSITIVE_INFINITY, once);
};

/** The error for a request that declares a content encoding, even if it has no content. */
export const encodingError = ({ headers }: Request): ServiceError | undefined =>
  headers['content-encoding'] === undefined
    ? undefined
    : new ServiceError('UnsupportedMediaType', 'Content-Encoding is not supported; send the body without it.');

/** Reads the body until it is complete, too large, or in more than `most` chunks. May call `done` more than once. */
function collectChunks(request: Request, most: number, done: (error?: ServiceError) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  const take = (chunk: Buffer) => {
    length += chunk.length;
    if (length <= LARGEST_BODY && chunks.push(chunk) <= most) return;
    request.off('data', take);
    done(length > LARGEST_BODY ? tooLarge() : tooManyChunks());
  };
  request
    .on('data', take)
    .on('end', () => {
      request.body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
      done();
    })
    .on('close', () => {
      // Creating an error takes longer than reading the body.
      if (!request.complete) done(endedEarly());
    });
}

/** Calls `refuse` if all unfinished bodies together are too large and this one began first. The connection is closed after the answer. */
function countUnfinished(request: Request, response: Response, refuse: (error: ServiceError) => void): void {
  const body = unfinished.begin(() => {
    response.shouldKeepAlive = false;
    // Node holds what has been received until the request is destroyed.
    response.once('finish', () => request.destroy());
    refuse(tooSlow());
  });
  request
    .on('data', (chunk: Buffer) => body.grow(chunk.length))
    .once('end', body.end)
    .once('close', body.end);
}

const tooSlow = () =>
  new ServiceError(
    'TooManyRequests',
    'Too many requests are arriving at the moment, and this one is arriving too slowly.',
    {
      reason: 'unfinished bodies',
    },
  );

const tooManyChunks = () =>
  new ServiceError('TooLarge', `The body arrives in more than ${MOST_CHUNKS} chunks.`, { reason: 'chunks' });

const tooLarge = () =>
  new ServiceError('TooLarge', `The body is larger than ${LARGEST_BODY} bytes.`, { reason: 'body' });

const endedEarly = () => new ServiceError('Malformed', 'The body ended before its Content-Length.', { reason: 'body' });

/** The body that was read; empty if there was none. */
export const bodyOf = (request: Request): Buffer => (Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
