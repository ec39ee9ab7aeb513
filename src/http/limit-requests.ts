import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that may be unanswered. A client that waits for answers before it continues never comes near this. */
const MOST_UNANSWERED = 16;
/** The minimum number of times that a connection is checked within the time that an answer may take. */
const CHECKS = 20;

/** Milliseconds. */
export interface RequestLimits {
  /**
   * From the moment when an answer's turn comes, which may be before it is ready, until all of it has been sent, however slowly.
   */
  readonly answer: number;
  /**
   * From an answer to the next request, whatever bytes arrive in between. Node's keep-alive time starts again with every byte, and line
   * ends between two requests do not belong to a request: RFC 9112, 2.2.
   */
  readonly idle: number;
  /** How often connections are checked: a limit can be exceeded by this much. */
  readonly interval: number;
}

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/** The method that Node's parser calls once the headers of a request are complete. Not in Node's documentation. */
interface ParserOfSocket {
  onIncoming: (request: IncomingMessage, shouldKeepAlive: boolean) => number;
}

/** A value that the parser does not expect, so that it stops reading and reports `TOO_MANY_UNANSWERED`. */
const REFUSED = -1;
/** Code of the error that `clientError` receives when a connection exceeds the number of unanswered requests. */
export const TOO_MANY_UNANSWERED = 'HPE_CB_HEADERS_COMPLETE';

/** The requests of one connection. An answer is finished once its last byte has been passed to the operating system. */
class Connection {
  readonly #socket: Socket;
  readonly #waiting: (() => void)[] = [];
  /** Including the one that is being answered. */
  unanswered = 0;
  /** The answer to the latest request. */
  latest: ServerResponse | undefined;
  /** How many checks have found the connection busy with the same answer, or idle since the last one. */
  #checks = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  take(request: IncomingMessage, response: ServerResponse, serve: Serve): void {
    this.latest = response;
    response.on('close', this.#onAnswered);
    if (++this.unanswered === 1) {
      this.#checks = 0;
      serve(request, response);
    } else this.#waiting.push(() => serve(request, response));
  }

  /** One function per connection, not per request. */
  readonly #onAnswered = (): void => {
    this.unanswered--;
    this.#checks = 0;
    if (!this.#socket.destroyed) this.#waiting.shift()?.();
  };

  check({ answer, idle }: RequestLimits, period: number): void {
    // The first check may follow immediately after the answer.
    if (this.#checks * period >= (this.unanswered > 0 ? answer : idle)) this.#socket.destroy();
    this.#checks++;
  }

  end(): void {
    this.#waiting.length = 0;
  }
}

/** The requests of a server, limited per connection. */
export interface LimitedRequests {
  /** The answer to the latest request of a connection; undefined if it has not sent any. */
  latestAnswer(socket: Socket): ServerResponse | undefined;
}

/**
 * Limits a client to what it reads: serves the requests of a connection one after another, each once the previous answer has been passed to
 * the operating system, so that a connection never holds more than one answer. With more than 16 unanswered requests, the parser stops in
 * the middle of what it has read: Node reads up to 64 KiB at once, which can contain thousands of requests. Cuts connections that exceed
 * `limits`.
 */
export function limitRequests(server: Server, limits: RequestLimits, serve: Serve): LimitedRequests {
  const connections = new Map<Socket, Connection>();

  function add(socket: Socket): Connection {
    const connection = new Connection(socket);
    connections.set(socket, connection);
    socket.once('close', () => {
      connections.delete(socket);
      connection.end();
    });
    return connection;
  }

  function watch(socket: Socket): void {
    const { parser } = socket as { parser?: ParserOfSocket | null };
    // The raw socket of a TLS connection has no parser.
    if (parser == null) return;
    const take = parser.onIncoming;
    parser.onIncoming = (request, shouldKeepAlive) => {
      const unanswered = connections.get(socket)?.unanswered ?? 0;
      return unanswered < MOST_UNANSWERED ? take(request, shouldKeepAlive) : REFUSED;
    };
  }
  server.on('connection', watch);
  server.on('secureConnection', watch);
  server.on('request', (request, response) => {
    const { socket } = request;
    (connections.get(socket) ?? add(socket)).take(request, response, serve);
  });

  const period = Math.min(limits.answer / CHECKS, limits.interval);
  const checking = setInterval(() => {
    for (const connection of connections.values()) connection.check(limits, period);
  }, period);
  checking.unref();
  server.once('close', () => clearInterval(checking));
  return { latestAnswer: (socket) => connections.get(socket)?.latest };
}
