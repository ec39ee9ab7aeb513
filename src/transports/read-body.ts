import bodyParser from 'body-parser';
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

const readRaw = bodyParser.raw({ type: () => true, limit: LARGEST_BODY, inflate: false });

/**
 * Reads the whole body into `request.body` as a Buffer. A compressed body is refused before any of it is read, because unpacking can turn a
 * few bytes into many. A body that is too large is refused as soon as that is known. The parser alone would first read it to its end, which
 * an endless body never reaches.
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
  const isSmall = !isChunked && length <= SMALL_BODY;
  if (isChunked) limitChunks(request, once);
  if (!isSmall) countUnfinished(request, response, once);
  if (isSmall || !request.socket.readable) readWhole(request, once);
  else readRaw(request, response, (error?: unknown) => once(error === undefined ? undefined : bodyError(error)));
};

/** The error for a request that declares a content encoding, even if it has no content. */
export const encodingError = ({ headers }: Request): ServiceError | undefined =>
  headers['content-encoding'] === undefined
    ? undefined
    : new ServiceError('UnsupportedMediaType', 'Content-Encoding is not supported; send the body without it.');

/**
 * Reads a body that body-parser would read too slowly or not at all. For a small one, body-parser takes 12,000 instructions of a call. If the
 * client closed its half of the connection while the request waited, for an earlier answer or for its login, then all of the body has been
 * received, but body-parser mistakes the request for one that has already been read, and treats its body as empty.
 */
function readWhole(request: Request, done: (error?: ServiceError) => void): void {
  const chunks: Buffer[] = [];
  request
    .on('data', (chunk: Buffer) => chunks.push(chunk))
    .on('end', () => {
      request.body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
      // The request keeps these listeners, and with them the list, for as long as the call takes.
      chunks.length = 0;
      done(request.body.length > LARGEST_BODY ? tooLarge() : undefined);
    })
    .on('close', () => {
      // Creating an error takes longer than reading the body.
      if (!request.complete) done(endedEarly());
    });
}

/** Calls `refuse` as soon as the chunks of a body are too large in total, or too many. */
function limitChunks(request: Request, refuse: (error: ServiceError) => void): void {
  let length = 0;
  let chunks = 0;
  const count = (chunk: Buffer) => {
    length += chunk.length;
    const tooMany = ++chunks > MOST_CHUNKS;
    if (length <= LARGEST_BODY && !tooMany) return;
    request.off('data', count);
    refuse(tooMany ? tooManyChunks() : tooLarge());
  };
  request.on('data', count);
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

const endedEarly = (cause?: unknown) =>
  new ServiceError('Malformed', 'The body ended before its Content-Length.', { reason: 'body', cause });

/**
 * The body that was read; empty if there was none. The request does not keep it, because a call may wait for the disk for so long that the
 * body would get into V8's heap for old objects.
 */
export function takeBody(request: Request): Buffer {
  const { body } = request;
  request.body = undefined;
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** body-parser's errors have a `type`. Source: its README, "Errors". */
function bodyError(error: unknown): unknown {
  const { type } = error as { type?: unknown };
  if (type === 'entity.too.large') return tooLarge();
  if (type === 'request.aborted' || type === 'request.size.invalid') return endedEarly(error);
  return error;
}
