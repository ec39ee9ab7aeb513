import type { IncomingMessage } from 'node:http';
import { LARGEST_BODY } from './read-body.ts';

/**
 * How long and how much of a refused body is still read, in milliseconds and bytes: an honest client has sent its file within these limits.
 */
const LONGEST_WAIT = 1000;
const LARGEST_REST = 16 * 1024 * 1024;
/** The maximum number of chunks: a chunk costs the same whether it contains one byte or thousands. */
const MOST_PIECES = 4096;

/** True if the rest of the body is longer than is ever read, or if its length, or whether there is any, is unknown. */
export function hasLargeRest({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  if (headers.expect !== undefined) return true;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > LARGEST_BODY;
}

/**
 * Keeps reading without storing anything, then calls `done`: at the end of the request, or when it takes too long or is too large. If a
 * connection is closed while its client is still sending, it is reset, and the reset can overtake the answer: RFC 9112, 9.6.
 */
export function discardRest(request: IncomingMessage, done: () => void): void {
  let length = 0;
  let pieces = 0;
  const stop = () => {
    clearTimeout(deadline);
    request.off('data', count).off('end', stop).off('close', stop);
    // Otherwise, everything that has arrived would be read until the connection is closed, which can be thousands of chunks.
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
