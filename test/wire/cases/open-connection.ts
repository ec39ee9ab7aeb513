import { once } from 'node:events';
import { connect } from 'node:net';
import { parseAnswer, type RawAnswer } from '../../support/http/raw-exchange.ts';
import type { CaseRequest } from './read-case.ts';

/** A connection that requests go over one after the other. */
export interface Connection {
  exchange(request: CaseRequest): Promise<RawAnswer>;
  close(): void;
}

const LIMIT = 5000;

/** Connects to a port on loopback. */
export async function openConnection(port: number): Promise<Connection> {
  const socket = connect(port, '127.0.0.1');
  let received: Buffer = Buffer.alloc(0);
  let ended = false;
  let wake = () => {};
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  for (const event of ['end', 'error', 'close']) {
    socket.on(event, () => {
      ended = true;
      wake();
    });
  }
  await once(socket, 'connect');

  /** Waits until `length` returns how many of the received bytes belong together, and takes them. */
  async function take(length: (bytes: Buffer) => number | undefined): Promise<Buffer> {
    const limit = setTimeout(() => socket.destroy(), LIMIT);
    try {
      for (;;) {
        const found = length(received);
        if (found !== undefined && found <= received.length) {
          const taken = received.subarray(0, found);
          received = received.subarray(found);
          return taken;
        }
        if (ended) throw new Error(`the connection ended after ${JSON.stringify(received.toString('latin1'))}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      clearTimeout(limit);
    }
  }

  return {
    async exchange({ head, body, method, bodyAfterContinue }) {
      if (bodyAfterContinue) {
        socket.write(head);
        const interim = await take(headLength);
        if (!interim.toString('latin1').startsWith('HTTP/1.1 100 ')) throw new Error(`not 100 Continue: ${interim}`);
        socket.write(body);
      } else {
        socket.write(Buffer.concat([head, body]));
      }
      return parseAnswer(await take((bytes) => answerLength(bytes, method === 'HEAD')));
    },
    close: () => socket.destroy(),
  };
}

function headLength(bytes: Buffer): number | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  return end === -1 ? undefined : end + 4;
}

function answerLength(bytes: Buffer, headOnly: boolean): number | undefined {
  const head = headLength(bytes);
  if (head === undefined) return undefined;
  if (bytes.toString('latin1', 0, 13) === 'HTTP/1.1 204 ') return head;
  const length = /^content-length:\s*(\d+)/im.exec(bytes.toString('latin1', 0, head))?.[1];
  if (length === undefined) throw new Error(`an answer without Content-Length: ${bytes.toString('latin1', 0, head)}`);
  return head + (headOnly ? 0 : Number(length));
}
