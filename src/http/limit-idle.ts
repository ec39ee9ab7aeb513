import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Rest {
  /** Requests that are still unanswered. */
  owed: number;
  /** Number of checks since the last answer was sent. */
  looks: number;
}

/**
 * Closes connections that request nothing within `limit` ms after an answer, whatever bytes they send. Node's keep-alive starts again with
 * every byte, and line ends between two requests belong to no request: RFC 9112, 2.2. Checked every `interval` ms.
 */
export function limitIdle(server: Server, limit: number, interval: number): void {
  const rests = new Map<Socket, Rest>();
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    let rest = rests.get(socket);
    if (rest === undefined) {
      rest = { owed: 0, looks: 0 };
      rests.set(socket, rest);
      socket.once('close', () => rests.delete(socket));
    }
    const own = rest;
    own.owed++;
    response.once('close', () => {
      own.owed--;
      own.looks = 0;
    });
  });
  const look = setInterval(() => {
    for (const [socket, rest] of rests) {
      if (rest.owed > 0) continue;
      // The first check may follow immediately after the answer.
      if (rest.looks * interval >= limit) socket.destroy();
      rest.looks++;
    }
  }, interval);
  look.unref();
  server.once('close', () => clearInterval(look));
}
