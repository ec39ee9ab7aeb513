import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that may be unanswered. A client that waits for answers before it continues never comes near this. */
const MOST_UNANSWERED = 16;
/** The minimum number of times that a connection is checked within the time that an answer may take. */
const CHECKS = 20;

export interface RequestLimits {
  /** From the moment when an answer's turn comes, which may be before it is ready, until all of it has been sent, however slowly. */
  readonly answerMs: number;
  /**
   * From an answer to the next request, whatever bytes arrive in between. Node's keep-alive time starts again with every byte, and line
   * ends between two requests do not belong to a request: RFC 9112, 2.2.
   */
  readonly idleMs: number;
  /** How often connections are checked: a limit can be exceeded by this much. */
  readonly intervalMs: number;
}

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/** The method that Node's parser calls once the headers of a request are complete. Not in Node's documentation: decision 0003. */
interface ParserOfSocket {
  onIncoming: (request: IncomingMessage, shouldKeepAlive: boolean) => number;
}

/**
 * Pieces of bodies after which other bodies wait for the next turn of the event loop. Node parses all that it has read of a connection at
 * once, at 2 µs or more for each chunk, however small. A body of the largest size has as many if its chunks have 64 bytes.
 */
const PIECES_PER_TURN = 1024;

/** A value that the parser does not expect, so that it stops reading and reports `TOO_MANY_AT_ONCE`. */
const REFUSED = -1;
/** Code of the error that `clientError` receives for a request that is refused so. */
export const TOO_MANY_AT_ONCE = 'HPE_CB_HEADERS_COMPLETE';

/** A connection that has sent a request. */
interface Connection {
  /** Requests without an answer, including the one that is being answered. */
  unanswered: number;
  readonly waiting: (() => void)[];
  latest: ServerResponse | undefined;
  /** How many checks have found it busy with the same answer, or idle since the last one. */
  checks: number;
}

/** The requests of a server, limited per connection. */
export interface LimitedRequests {
  /** The connections that have sent a request. */
  sockets(): Iterable<Socket>;
  /** The answer to the latest request of a connection; undefined if it has not sent any. */
  latestAnswer(socket: Socket): ServerResponse | undefined;
  /** To be called for each piece of a body that is parsed. */
  takePiece(): void;
}

/**
 * Limits a client to what it reads: serves the requests of a connection one after another, each once the previous answer has been passed to
 * the operating system, so that a connection never holds more than one answer. With more than 16 unanswered requests, the parser stops in
 * the middle of what it has read: Node reads up to 64 KiB at once, which can contain thousands of requests. Cuts connections that exceed
 * `limits`. While a turn parses too many pieces of bodies, other bodies are not read, and a request whose body comes in chunks is refused.
 */
export function limitRequests(server: Server, limits: RequestLimits, serve: Serve): LimitedRequests {
  const connections = new Map<Socket, Connection>();

  function connectionOf(socket: Socket): Connection {
    const known = connections.get(socket);
    if (known !== undefined) return known;
    const connection = { unanswered: 0, waiting: [], latest: undefined, checks: 0 };
    connections.set(socket, connection);
    socket.once('close', () => connections.delete(socket));
    return connection;
  }

  server.on('request', (request, response) => {
    const { socket } = request;
    const connection = connectionOf(socket);
    const serveNext = () => {
      connection.checks = 0;
      connection.waiting.shift()?.();
    };
    connection.latest = response;
    connection.waiting.push(() => serve(request, response));
    response.on('close', () => {
      connection.unanswered--;
      // Behind an answer with `Connection: close`, nothing can be answered, so nothing is executed: RFC 9112, 9.6.
      if (socket.writable) serveNext();
    });
    if (++connection.unanswered === 1) serveNext();
  });

  let pieces = 0;
  let held: Socket[] = [];

  function takePiece(): void {
    if (pieces++ === 0) setImmediate(endTurn);
    if (pieces !== PIECES_PER_TURN) return;
    held = [...connections].flatMap(([socket, { latest }]) => (latest?.req.complete === false ? socket.pause() : []));
  }

  function endTurn(): void {
    pieces = 0;
    for (const socket of held.splice(0)) socket.resume();
  }

  function refuseTooMany(socket: Socket): void {
    const { parser } = socket as { parser?: ParserOfSocket | null };
    // The raw socket of a TLS connection has no parser.
    if (parser == null) return;
    const take = parser.onIncoming;
    parser.onIncoming = (request, shouldKeepAlive) => {
      const unanswered = connections.get(socket)?.unanswered ?? 0;
      const isTooMuch = pieces >= PIECES_PER_TURN && request.headers['transfer-encoding'] !== undefined;
      return unanswered < MOST_UNANSWERED && !isTooMuch ? take(request, shouldKeepAlive) : REFUSED;
    };
  }
  server.on('connection', refuseTooMany);
  server.on('secureConnection', refuseTooMany);

  const periodMs = Math.min(limits.answerMs / CHECKS, limits.intervalMs);
  const checking = setInterval(() => {
    for (const [socket, connection] of connections) {
      const limitMs = connection.unanswered > 0 ? limits.answerMs : limits.idleMs;
      // The first check may follow immediately after the answer.
      if (connection.checks++ * periodMs >= limitMs) socket.destroy();
    }
  }, periodMs);
  checking.unref();
  server.once('close', () => clearInterval(checking));
  return { sockets: () => connections.keys(), latestAnswer: (socket) => connections.get(socket)?.latest, takePiece };
}
