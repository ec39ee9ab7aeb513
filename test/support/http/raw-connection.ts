import { connect, type Socket } from 'node:net';

/** An answer as received over the socket. */
export interface Answer {
  readonly status: number;
  /** In lower case; the values of a header that was received twice are joined by a comma. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  /** Status line and headers as received. */
  readonly head: string;
}

/** Received bytes that are not an HTTP/1.1 answer with a Content-Length. */
class BadAnswer extends Error {}

interface Waiting {
  readonly resolve: (answer: Answer | undefined) => void;
  readonly reject: (error: Error) => void;
  readonly isHead: boolean;
}

/** A connection that sends bytes as they are and splits what it receives into answers. */
export class RawConnection {
  /** True once the server has closed or reset it. */
  closed = false;
  private readonly socket: Socket;
  private pending: Buffer = Buffer.alloc(0);
  private waiting: Waiting | undefined;
  private readonly whenClosed: Promise<void>;

  constructor(port: number) {
    // Half-open, so that the answer to a request that was ended early is still read.
    this.socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    this.socket.setNoDelay(true);
    this.socket.on('data', (chunk: Buffer) => {
      this.pending = this.pending.length === 0 ? chunk : Buffer.concat([this.pending, chunk]);
      this.deliver();
    });
    // A server may reset the connection of a client that is still sending; what counts is whether the answer was received before.
    this.socket.on('error', () => this.socket.destroy());
    this.whenClosed = new Promise((resolve) => {
      const over = () => {
        this.closed = true;
        this.deliver();
        this.waiting?.resolve(undefined);
        this.waiting = undefined;
        resolve();
      };
      this.socket.on('end', over).on('close', over);
    });
  }

  /** Sends; resolves when the bytes have been handed to the system or the connection is gone. */
  async send(bytes: Buffer | string): Promise<void> {
    if (this.closed || this.socket.destroyed) return;
    await new Promise<void>((resolve) => this.socket.write(bytes, () => resolve()));
  }

  /** Signals that nothing more will be sent. */
  endSending(): void {
    this.socket.end();
  }

  /**
   * The next answer; undefined if the server closed without one. Rejects with BadAnswer, and with an Error after `limit` ms.
   */
  answer(limit: number, isHead = false): Promise<Answer | undefined> {
    return new Promise((resolve, reject) => {
      const deadline = setTimeout(() => {
        this.waiting = undefined;
        reject(new Error(`no whole answer within ${limit} ms`));
      }, limit);
      const settled = () => clearTimeout(deadline);
      this.waiting = {
        isHead,
        resolve: (answer) => {
          settled();
          resolve(answer);
        },
        reject: (error) => {
          settled();
          reject(error);
        },
      };
      this.deliver();
      if (this.closed && this.waiting !== undefined) {
        this.waiting = undefined;
        settled();
        if (this.pending.length === 0) resolve(undefined);
        else reject(new BadAnswer(`the connection ended inside an answer: ${shownBytes(this.pending)}`));
      }
    });
  }

  /** True if the server closes within `limit` ms. */
  async closes(limit: number): Promise<boolean> {
    if (this.closed) return true;
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([
      this.whenClosed,
      new Promise((resolve) => {
        timer = setTimeout(resolve, limit);
      }),
    ]);
    clearTimeout(timer);
    return this.closed;
  }

  /** Bytes that were received and were not part of an expected answer. */
  get rest(): Buffer {
    return this.pending;
  }

  destroy(): void {
    this.socket.destroy();
  }

  private deliver(): void {
    if (this.waiting === undefined) return;
    const { resolve, reject, isHead } = this.waiting;
    try {
      const cut = cutAnswer(this.pending, isHead);
      if (cut === undefined) return;
      this.pending = cut.rest;
      this.waiting = undefined;
      resolve(cut.answer);
    } catch (error) {
      this.waiting = undefined;
      reject(error as Error);
    }
  }
}

const shownBytes = (bytes: Buffer) => JSON.stringify(bytes.toString('latin1').slice(0, 300));

/** The first whole answer; interim 1xx answers are skipped. Undefined while it is not whole. */
function cutAnswer(bytes: Buffer, isHead: boolean): { readonly answer: Answer; readonly rest: Buffer } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) {
    if (bytes.length > 64 * 1024) throw new BadAnswer(`no end of headers: ${shownBytes(bytes)}`);
    return undefined;
  }
  const head = bytes.toString('latin1', 0, end);
  const [first = '', ...lines] = head.split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) [ -~]*$/.exec(first)?.[1]);
  if (Number.isNaN(status)) throw new BadAnswer(`no status line: ${shownBytes(bytes)}`);
  if (status < 200) return cutAnswer(bytes.subarray(end + 4), isHead);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/.exec(line);
    if (match === null) throw new BadAnswer(`not a header: ${JSON.stringify(line)}`);
    const name = (match[1] as string).toLowerCase();
    const before = headers.get(name);
    headers.set(name, before === undefined ? (match[2] as string) : `${before}, ${match[2]}`);
  }
  const length = headers.get('content-length');
  if (length === undefined || !/^\d+$/.test(length)) throw new BadAnswer(`no Content-Length: ${head}`);
  if (headers.has('transfer-encoding')) throw new BadAnswer(`Transfer-Encoding: ${head}`);
  const bodyEnd = end + 4 + (isHead ? 0 : Number(length));
  if (bytes.length < bodyEnd) return undefined;
  return { answer: { status, headers, head, body: bytes.subarray(end + 4, bodyEnd) }, rest: bytes.subarray(bodyEnd) };
}
