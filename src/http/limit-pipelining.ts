import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that may be unanswered. No client that waits for answers before it continues comes near. */
const MOST_UNANSWERED = 16;
/** How many times the age of an answer is checked within its limit. */
const CHECKS = 20;

/** The requests of one connection. An answer is finished once its last byte has been passed to the operating system. */
interface Pipeline {
  readonly socket: Socket;
  /** Including the one that is being answered. */
  unanswered: number;
  readonly waiting: (() => void)[];
  /** How many checks have found the current answer unfinished. */
  age: number;
}

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/** What Node's parser calls once the headers of a request are complete. Not in Node's documentation. */
interface ParserOfSocket {
  onIncoming: (request: IncomingMessage, shouldKeepAlive: boolean) => number;
}

/** A value that the parser does not know: it stops reading, and reports `TOO_MANY_UNANSWERED`. */
const REFUSED = -1;
/** Code of the error that `clientError` receives when a connection exceeds the number of unanswered requests. */
export const TOO_MANY_UNANSWERED = 'HPE_CB_HEADERS_COMPLETE';

/**
 * Limits a client to what it takes: serves the requests of a connection one after the other, each once the previous answer has been passed
 * to the operating system, so that a connection never holds more than one answer. With more than 16 unanswered, the parser stops in the
 * middle of what it has read: Node reads up to 64 KiB at once, which can contain thousands of requests. Cuts a connection whose next answer
 * takes longer than `longest` (ms) in total, however slowly it is read.
 */
export function limitPipelining(server: Server, longest: number, serve: Serve): Serve {
  const pipelines = new WeakMap<Socket, Pipeline>();
  const open = new Set<Pipeline>();

  function add(socket: Socket): Pipeline {
    const pipeline: Pipeline = { socket, unanswered: 0, waiting: [], age: 0 };
    pipelines.set(socket, pipeline);
    open.add(pipeline);
    socket.once('close', () => {
      open.delete(pipeline);
      pipeline.waiting.length = 0;
    });
    return pipeline;
  }

  function watch(socket: Socket): void {
    const { parser } = socket as { parser?: ParserOfSocket | null };
    // The raw socket of a TLS connection has no parser.
    if (parser == null) return;
    const take = parser.onIncoming;
    parser.onIncoming = (request, shouldKeepAlive) => {
      const unanswered = pipelines.get(socket)?.unanswered ?? 0;
      return unanswered < MOST_UNANSWERED ? take(request, shouldKeepAlive) : REFUSED;
    };
  }
  server.on('connection', watch);
  server.on('secureConnection', watch);

  function goOn({ req }: ServerResponse): void {
    const pipeline = pipelines.get(req.socket);
    if (pipeline === undefined) return;
    pipeline.unanswered--;
    pipeline.age = 0;
    if (!pipeline.socket.destroyed) pipeline.waiting.shift()?.();
  }
  const answered = function (this: ServerResponse): void {
    goOn(this);
  };

  const checking = setInterval(() => {
    for (const pipeline of open) {
      if (pipeline.unanswered > 0 && ++pipeline.age > CHECKS) pipeline.socket.destroy();
    }
  }, longest / CHECKS);
  checking.unref();
  server.once('close', () => clearInterval(checking));

  return (request, response) => {
    const { socket } = request;
    const pipeline = pipelines.get(socket) ?? add(socket);
    response.once('close', answered);
    if (++pipeline.unanswered === 1) serve(request, response);
    else pipeline.waiting.push(() => serve(request, response));
  };
}
