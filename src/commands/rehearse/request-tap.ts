import { createServer } from 'node:http';
import { Duplex } from 'node:stream';
import { type BrokenError, encodedGet } from '../../http/encode-address.ts';
import { LARGEST_PROXIED_HEAD, useTarget } from '../../http/unusual-requests.ts';

/** A copy of a request as a caller sent it. */
export interface CopiedRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Names and values alternate, as in Node's `rawHeaders`. */
  readonly headers: readonly string[];
  /** Longer ones are truncated one byte beyond the service's limit, so that the service refuses them for their length. */
  readonly body: Buffer;
  /** IP address of the sender. */
  readonly address: string;
}

/** The value of a header; undefined if it is absent. If there are several, the first. `name` is in lower case. */
export function headerOf({ headers }: CopiedRequest, name: string): string | undefined {
  const index = headers.findIndex((text, at) => at % 2 === 0 && text.toLowerCase() === name);
  return index === -1 ? undefined : headers[index + 1];
}

/** Bytes that may wait to be parsed as HTTP. Beyond this limit, a copy is abandoned: the caller's own bytes never wait for it. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024;

interface TapListener {
  /** A whole request has passed. */
  request(request: CopiedRequest): void;
  /** The bytes are not HTTP. Nothing more is read from the connection. */
  broken(): void;
}

/** Opens a tap on a connection from an address: it reads a copy of what passes over the connection. */
export type OpenTap = ReturnType<typeof createRequestTaps>;

/** What Node's HTTP server uses as a socket: the caller's bytes are read from it, and what is written to it is discarded. */
const copiedSocket = (address: string, listener: TapListener & { readInstead(request: string): void }) =>
  Object.assign(new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() }), { address, listener });
type CopiedSocket = ReturnType<typeof copiedSocket>;

/** Taps read requests with Node's own parser, as the service would; `largestBody` is the service's limit in bytes. */
export function createRequestTaps(largestBody: number) {
  const options = {
    requireHostHeader: false,
    maxHeaderSize: LARGEST_PROXIED_HEAD,
    headersTimeout: 0,
    requestTimeout: 0,
    keepAliveTimeout: 0,
  };
  const server = createServer(options, (incoming, response) => {
    const { listener, address } = incoming.socket as unknown as CopiedSocket;
    const chunks: Buffer[] = [];
    let room = largestBody + 1;
    incoming.on('data', (chunk: Buffer) => {
      if (room > 0) chunks.push(chunk.subarray(0, room));
      room -= chunk.length;
    });
    incoming.on('end', () => {
      useTarget(incoming);
      const { method = '', url: target = '', rawHeaders: headers } = incoming;
      listener.request({ method, target, headers, body: Buffer.concat(chunks), address });
      response.end();
    });
  });
  // Node would refuse these two by itself, but the service has its own answer to them.
  server.on('checkExpectation', (incoming, response) => server.emit('request', incoming, response));
  server.on('clientError', (error: BrokenError, socket) => {
    const { listener } = socket as unknown as CopiedSocket;
    const encoded = encodedGet(error);
    if (encoded !== undefined) listener.readInstead(encoded);
    // A caller that disconnects in the middle of a request has not sent anything wrong.
    else if (error.code !== 'ECONNRESET') listener.broken();
    socket.destroy();
  });
  return (address: string, listener: TapListener) => {
    const open = () => {
      const copy = copiedSocket(address, { ...listener, readInstead });
      copy.on('error', () => {});
      server.emit('connection', copy);
      return copy;
    };
    const readInstead = (request: string): void => {
      socket = open();
      socket.push(Buffer.from(request, 'latin1'));
    };
    let socket = open();
    return {
      take: (chunk: Buffer) => {
        if (socket.destroyed || socket.readableEnded) return;
        if (socket.readableLength > MOST_WAITING_BYTES) socket.destroy();
        else socket.push(chunk);
      },
      end: () => {
        if (!socket.destroyed) socket.push(null);
      },
    };
  };
}
