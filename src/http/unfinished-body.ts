import type { ArrivedRequest } from '../access/request-origin.ts';
import type { Refusable } from '../transports/read-body.ts';
import { ServiceError } from '../vocabulary/errors.ts';
import { BytesInFlight } from './bytes-in-flight.ts';

/** A request that is being received. */
export interface ReceivedRequest extends ArrivedRequest, Refusable {}

/** Maximum number of chunks of a body: a chunk costs the same whether it contains one byte or thousands. */
const MOST_CHUNKS = 4096;
/** Bytes that each piece of a body takes besides its own: over TLS, 64,000 pieces of one byte on each of 120 connections took 714 MB. */
const PIECE = 2048;
/** One for the process, whose memory it protects: services in one process share it. */
const unfinished = new BytesInFlight(16 * 1024 * 1024);

/**
 * A body that has begun to arrive and is not complete. It is refused if its chunks are too many, or to make room for others. `refused` is
 * told whether its connection must be ended, because nobody who reads the body would answer soon.
 */
export class UnfinishedBody {
  readonly #request: ReceivedRequest;
  readonly #transfer: ReturnType<BytesInFlight['begin']>;
  readonly #refused: (mustEnd: boolean) => void;
  #pieces = 0;

  constructor(request: ReceivedRequest, sender: object, refused: (mustEnd: boolean) => void) {
    this.#request = request;
    this.#refused = refused;
    this.#transfer = unfinished.begin(sender, () => refused(!this.#refuse(tooSlow())));
  }

  /** Counts a piece. */
  take(length: number): void {
    this.#transfer.grow(length + PIECE);
    if (++this.#pieces <= MOST_CHUNKS || this.#request.headers['transfer-encoding'] === undefined) return;
    this.#refuse(tooManyChunks());
    this.#refused(false);
  }

  /** It is complete, or no longer kept. */
  end(): void {
    this.#transfer.end();
  }

  #refuse(error: ServiceError): boolean {
    this.#request.refusal ??= error;
    this.#request.onRefusal?.(error);
    return this.#request.onRefusal !== undefined;
  }
}

const tooSlow = () =>
  new ServiceError(
    'TooManyRequests',
    'Too many requests are arriving at the moment, and this one is arriving too slowly.',
    { reason: 'unfinished bodies' },
  );

const tooManyChunks = () =>
  new ServiceError('TooLarge', `The body arrives in more than ${MOST_CHUNKS} chunks.`, { reason: 'chunks' });
