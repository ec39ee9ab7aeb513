import type { Server } from 'node:http';
import type { TLSSocket } from 'node:tls';

/** Not in Node's documentation. */
interface BufferOfSocket {
  readonly _writableState: { highWaterMark: number };
}

/**
 * Lets a TLS connection receive its next request while an answer is being sent. If more than `highWaterMark` bytes of the answer are
 * waiting when the request's headers arrive, Node 22 to 26 pause the connection and the parser. What arrived in further TLS records still
 * reaches the parser, which then refuses it as broken (HPE_PAUSED). Without that mark, Node never pauses. limitRequests bounds what a
 * connection can send in the meantime.
 */
export function readWhileSending(server: Server): void {
  server.on('secureConnection', (socket: TLSSocket) => {
    (socket as unknown as BufferOfSocket)._writableState.highWaterMark = Number.POSITIVE_INFINITY;
  });
}
