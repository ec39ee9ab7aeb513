import type { IncomingMessage } from 'node:http';
import { LARGEST_BODY } from './read-body.ts';

/** How long and how far a refused body is read on. Milliseconds and bytes: an honest client has sent its file by then. */
const LONGEST_WAIT = 1000;
const LARGEST_REST = 16 * 1024 * 1024;
/** In how many pieces at most: a chunk costs the same whether it carries one byte or thousands. */
const MOST_PIECES = 4096;

/** True if more of the body is to come than is ever read, or nobody knows how much, or whether it comes at all. */
export function hasLargeRest({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  if (headers.expect !== undefined) return true;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > LARGEST_BODY;
}

/**
 * Reads on without keeping anything, then calls `done`: at the end of the request, or when it takes too much or too long.
 * A connection that is closed while its client still sends is reset, and a reset can overtake the answer: RFC 9112, 9.6.
 */
export function discardRest(request: IncomingMessage, done: () => void): void {
  let length = 0;
  let pieces = 0;
  const stop = () => {
    clearTimeout(deadline);
    request.off('data', count).off('end', stop).off('close', stop);
    // Else what has arrived is read on until the connection is closed, which can be thousands of chunks.
    request.socket.pause();
    done();
  };
  const count = (chunk: Buffer) => {
    length += chunk.length;
    if (length > LARGEST_REST || ++pieces > MOST_PIECES) stop();
  };
  const deadline = setTimeout(stop, LONGEST_WAIT);
  request.on('data', count).on('end', stop).on('close', stop).resume();
}
