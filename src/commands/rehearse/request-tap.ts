import { createServer, type IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import type { RecordedRequest } from './recorded-request.ts';

/** Maximum size in bytes of headers that are read. The service itself accepts fewer, and says so. */
const LARGEST_HEADERS = 64 * 1024;
/** Bytes that may wait to be parsed as HTTP. Beyond this limit, a copy is abandoned: the caller's own bytes never wait for it. */
const MOST_WAITING = 4 * 1024 * 1024;

interface TapListener {
  /** A whole request has passed. */
  request(request: RecordedRequest): void;
  /** The bytes are not HTTP. Nothing more is read from the connection. */
  broken(): void;
}

/** Reads a copy of what passes over a connection. */
interface TappedConnection {
  take(chunk: Buffer): void;
  end(): void;
}

/** Opens a tap on a connection from an address. */
export type OpenTap = (address: string | undefined, listener: TapListener) => TappedConnection;

/** What Node's HTTP server uses as a socket: the caller's bytes are read from it, and what is written to it is discarded. */
class CopiedSocket extends Duplex {
  readonly listener: TapListener;
  readonly address: string | undefined;

  constructor(address: string | undefined, listener: TapListener) {
    super({ allowHalfOpen: true });
    this.address = address;
    this.listener = listener;
  }

  override _read(): void {}

  override _write(_chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    done();
  }
}

/** Taps read requests with Node's own parser, as the service would; `largestBody` is the service's limit in bytes. */
export function createRequestTaps(largestBody: number): OpenTap {
  const options = {
    requireHostHeader: false,
    maxHeaderSize: LARGEST_HEADERS,
    headersTimeout: 0,
    requestTimeout: 0,
    keepAliveTimeout: 0,
  };
  const server = createServer(options, (incoming, response) => {
    const { listener, address } = incoming.socket as unknown as CopiedSocket;
    const body = readUpTo(incoming, largestBody + 1);
    incoming.on('end', () => {
      listener.request({
        method: incoming.method ?? '',
        target: incoming.url ?? '',
        headers: incoming.rawHeaders,
        body: Buffer.concat(body),
        address,
      });
      response.end();
    });
  });
  // Node would refuse these two by itself, but the service has its own answer to them.
  server.on('checkExpectation', (incoming, response) => server.emit('request', incoming, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // A caller that disconnects in the middle of a request has not sent anything wrong.
    if (error.code !== 'ECONNRESET') (socket as unknown as CopiedSocket).listener.broken();
    socket.destroy();
  });
  return (address, listener) => {
    const socket = new CopiedSocket(address, listener);
    socket.on('error', () => {});
    server.emit('connection', socket);
    return {
      take: (chunk) => {
        if (socket.destroyed || socket.readableEnded) return;
        if (socket.readableLength > MOST_WAITING) socket.destroy();
        else socket.push(chunk);
      },
      end: () => {
        if (!socket.destroyed) socket.push(null);
      },
    };
  };
}

/** The chunks of a body, filled while it is read; the rest of a longer one is skipped. */
function readUpTo(incoming: IncomingMessage, limit: number): readonly Buffer[] {
  const chunks: Buffer[] = [];
  let length = 0;
  incoming.on('data', (chunk: Buffer) => {
    const taken = chunk.subarray(0, limit - length);
    length += taken.length;
    if (taken.length > 0) chunks.push(taken);
  });
  return chunks;
}
