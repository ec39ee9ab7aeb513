import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that may be unanswered; what comes beyond waits, and no more is read. */
const MOST_UNANSWERED = 16;
/** How often the age of answers is looked at, as a part of their limit. */
const CHECKS = 20;

/** The requests of one connection. An answer is there once its last byte is with the system. */
interface Pipeline {
  readonly socket: Socket;
  /** Requests that were handed on. */
  unanswered: number;
  readonly waiting: (() => void)[];
  /** How often the answer whose turn it is was found unfinished. */
  age: number;
}

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Holds a client to what it takes: hands on 16 requests of a connection, and the next ones as answers go out; meanwhile nothing is read of
 * it. Cuts a connection whose next answer takes longer than `longest` (ms) in all, however slowly it is read.
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

  function goOn({ req }: ServerResponse): void {
    const pipeline = pipelines.get(req.socket);
    if (pipeline === undefined) return;
    pipeline.unanswered--;
    pipeline.age = 0;
    const next = pipeline.waiting.shift();
    if (next === undefined) return;
    if (pipeline.waiting.length === 0) pipeline.socket.off('resume', pauseAgain).resume();
    next();
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
    const handOn = () => {
      pipeline.unanswered++;
      response.once('close', answered);
      serve(request, response);
    };
    if (pipeline.unanswered < MOST_UNANSWERED) {
      handOn();
      return;
    }
    // What was read together is parsed together: up to 64 KiB.
    if (pipeline.waiting.push(handOn) === 1) socket.on('resume', pauseAgain).pause();
  };
}

/** Whoever reads the body of an earlier request resumes the connection. */
function pauseAgain(this: Socket): void {
  this.pause();
}
