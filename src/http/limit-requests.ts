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
  /** What its requests are answered with, in their order; only the first is being served. */
  readonly unanswered: ServerResponse[];
  latest: ServerResponse;
  /** How many checks have found it busy with the same answer, or idle since the last one. */
  checks: number;
}

/**
 * Limits a client to what it reads: serves the requests of a connection one after another, each once the previous answer has been passed to
 * the operating system, so that a connection never holds more than one answer. With more than 16 unanswered requests, the parser stops in
 * the middle of what it has read: Node reads up to 64 KiB at once, which can contain thousands of requests. Cuts connections that exceed
 * `limits`. While a turn parses too many pieces of bodies, other bodies are not read, and a request whose body comes in chunks is refused.
 */
export class LimitedRequests {
  readonly #connections = new Map<Socket, Connection>();
  readonly #serve: Serve;
  /** Pieces of bodies that were parsed in this turn. */
  #pieces = 0;
  #held: Socket[] = [];

  constructor(server: Server, limits: RequestLimits, serve: Serve) {
    this.#serve = serve;
    server.on('request', (_request, response) => this.#receive(response));
    for (const born of ['connection', 'secureConnection']) server.on(born, (socket) => this.#refuseTooMany(socket));
    const periodMs = Math.min(limits.answerMs / CHECKS, limits.intervalMs);
    const checking = setInterval(() => this.#cutLate(limits, periodMs), periodMs);
    checking.unref();
    server.once('close', () => clearInterval(checking));
  }

  /** The connections that have sent a request. */
  sockets(): Iterable<Socket> {
    return this.#connections.keys();
  }

  /** The answer to the latest request of a connection; undefined if it has not sent any. */
  latestAnswer(socket: Socket): ServerResponse | undefined {
    return this.#connections.get(socket)?.latest;
  }

  /** Does not serve the latest request of a connection, whose rest cannot be read. Returns the answer that is due before its own. */
  withdrawLatest(socket: Socket): ServerResponse | undefined {
    const unanswered = this.#connections.get(socket)?.unanswered ?? [];
    if (unanswered.length < 2) return undefined;
    unanswered.pop();
    return unanswered.at(-1);
  }

  /** To be called for each piece of a body that is parsed. */
  takePiece(): void {
    if (this.#pieces++ === 0) setImmediate(() => this.#endTurn());
    if (this.#pieces !== PIECES_PER_TURN) return;
    for (const [socket, { latest }] of this.#connections) if (!latest.req.complete) this.#held.push(socket.pause());
  }

  #endTurn(): void {
    this.#pieces = 0;
    for (const socket of this.#held.splice(0)) socket.resume();
  }

  #receive(response: ServerResponse): void {
    const { socket } = response.req;
    let connection = this.#connections.get(socket);
    if (connection === undefined) {
      connection = { unanswered: [], latest: response, checks: 0 };
      this.#connections.set(socket, connection);
      socket.once('close', () => this.#connections.delete(socket));
    }
    connection.latest = response;
    response.on('close', () => this.#serveNext(socket));
    if (connection.unanswered.push(response) === 1) this.#serveFirst(connection);
  }

  #serveNext(socket: Socket): void {
    const connection = this.#connections.get(socket);
    connection?.unanswered.shift();
    // Behind an answer with `Connection: close`, nothing can be answered, so nothing is executed: RFC 9112, 9.6.
    if (connection !== undefined && socket.writable) this.#serveFirst(connection);
  }

  #serveFirst(connection: Connection): void {
    connection.checks = 0;
    const [first] = connection.unanswered;
    if (first !== undefined) this.#serve(first.req, first);
  }

  #refuseTooMany(socket: Socket): void {
    const { parser } = socket as { parser?: ParserOfSocket | null };
    // The raw socket of a TLS connection has no parser.
    if (parser == null) return;
    const take = parser.onIncoming;
    parser.onIncoming = (request, shouldKeepAlive) => {
      const unanswered = this.#connections.get(socket)?.unanswered.length ?? 0;
      const isHeld = this.#pieces >= PIECES_PER_TURN && request.headers['transfer-encoding'] !== undefined;
      return unanswered < MOST_UNANSWERED && !isHeld ? take(request, shouldKeepAlive) : REFUSED;
    };
  }

  #cutLate({ answerMs, idleMs }: RequestLimits, periodMs: number): void {
    for (const [socket, connection] of this.#connections) {
      const limitMs = connection.unanswered.length > 0 ? answerMs : idleMs;
      // The first check may follow immediately after the answer.
      if (connection.checks++ * periodMs >= limitMs) socket.destroy();
    }
  }
}
