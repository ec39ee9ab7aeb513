import { buffer } from 'node:stream/consumers';
import bodyParser from 'body-parser';
import type { Request, Response } from 'express';
import { ServiceError } from '../vocabulary/errors.ts';

/** Maximum size in bytes of a body that is read. */
export const LARGEST_BODY = 64 * 1024;

/** A request whose body may be refused while it arrives, whether or not it is being read. */
export interface Refusable {
  refusal: ServiceError | undefined;
  /** Tells whoever reads the body. */
  onRefusal: ((error: ServiceError) => void) | undefined;
}

const readRaw = bodyParser.raw({ type: () => true, limit: LARGEST_BODY, inflate: false });
const readPacked = bodyParser.raw({ type: () => true, limit: LARGEST_BODY });

/**
 * Reads a body that whoever has a secret sends: it may be compressed, because a gateway does not repeat what is refused. Throws ServiceError.
 */
export async function readCallbackBody(request: Request, response: Response): Promise<Buffer> {
  continueIfAsked(request, response);
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  readPacked(request, response, (error?: unknown) =>
    error === undefined ? resolve(request.body) : reject(bodyError(error)),
  );
  const body = await promise;
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/**
 * Reads the whole body; empty if there is none. A compressed body is refused before any of it is read, because unpacking can turn a few
 * bytes into many. A body that is too large is refused as soon as that is known. The parser alone would first read it to its end, which an
 * endless body never reaches. Throws ServiceError.
 */
export async function readBody(request: Request, response: Response): Promise<Buffer> {
  // RFC 9110, 12.5.3.
  if (!/^(?:identity)?$/i.test(request.headers['content-encoding'] ?? '')) {
    throw new ServiceError('UnsupportedMediaType', 'Content-Encoding is not supported; send the body without it.');
  }
  // It will emit no more events: a listener would wait forever, and the body would count as unfinished forever.
  if (request.destroyed) throw endedEarly();
  const refusable = request as Request & Refusable;
  if (refusable.refusal !== undefined) throw refusable.refusal;
  const { 'content-length': length } = request.headers;
  if (length !== undefined && Number(length) > LARGEST_BODY) throw tooLarge();
  continueIfAsked(request, response);
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const refuse = (error: ServiceError) => {
    // body-parser would collect what still arrives.
    request.removeAllListeners('data');
    reject(error);
  };
  refusable.onRefusal = refuse;
  if (length === undefined) refuseLarge(request, refuse);
  if (request.socket.readable) {
    readRaw(request, response, (error?: unknown) =>
      error === undefined ? resolve(request.body) : reject(bodyError(error)),
    );
  } else {
    // The client closed its half of the connection while the request waited, for an earlier answer or for its login. All of the body has been
    // received, but body-parser takes such a request for one that has already been read.
    buffer(request).then(resolve, (error) => reject(endedEarly(error)));
  }
  const body = await promise;
  // It has been answered as one that did not arrive in time: nothing behind that answer is executed.
  if (!request.socket.writable) throw endedEarly();
  // A call may wait for the disk for so long that a body that it keeps would get into V8's heap for old objects.
  request.body = undefined;
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** Not to HTTP/1.0, which takes it for the answer: RFC 9110, 10.1.1 and 15.2. */
function continueIfAsked({ headers: { expect }, httpVersion }: Request, response: Response): void {
  if (expect?.toLowerCase() === '100-continue' && httpVersion === '1.1') response.writeContinue();
}

/** Calls `refuse` as soon as the chunks of a body are too large in total. */
function refuseLarge(request: Request, refuse: (error: ServiceError) => void): void {
  let length = 0;
  request.on('data', (piece: Buffer) => {
    length += piece.length;
    if (length > LARGEST_BODY) refuse(tooLarge());
  });
}

/** Whether some of its body has not arrived. Node calls a request complete only after it was received. */
export const lacksBody = ({ complete, headers }: Request): boolean =>
  !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);

const tooLarge = () =>
  new ServiceError('TooLarge', `The body is larger than ${LARGEST_BODY} bytes.`, { reason: 'body' });

const endedEarly = (cause?: unknown) =>
  new ServiceError('Malformed', 'The body ended before its Content-Length.', { reason: 'body', cause });

const UNREADABLE = 'The body cannot be read to its end; expected one that its Content-Encoding describes.';

/** body-parser's errors have a `status`, and a `type` except for a body that cannot be unpacked. Source: its README, "Errors". */
function bodyError(error: unknown): unknown {
  const { status, type } = error as { status?: unknown; type?: unknown };
  if (type === 'entity.too.large') return tooLarge();
  if (type === 'encoding.unsupported')
    return new ServiceError('UnsupportedMediaType', 'The Content-Encoding is not known.');
  if (type === 'request.aborted' || type === 'request.size.invalid') return endedEarly(error);
  if (status === 400) return new ServiceError('Malformed', UNREADABLE, { reason: 'body', cause: error });
  return error;
}
