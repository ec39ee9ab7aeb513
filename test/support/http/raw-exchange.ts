import { connect } from 'node:net';

/** An answer as received over the socket. */
export interface RawAnswer {
  readonly status: number;
  readonly reason: string;
  /** Names in lower case; the values of a repeated name are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** All bytes. */
  readonly raw: Buffer;
}

/** Sends bytes to a port on loopback and reads until the server closes or the answer is complete by its Content-Length. */
export function rawExchange(port: number, request: Buffer | string, timeout = 5000): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    const deadline = setTimeout(() => socket.destroy(new Error(`no whole answer within ${timeout} ms`)), timeout);
    const finish = () => {
      clearTimeout(deadline);
      socket.destroy();
      try {
        resolve(parseAnswer(Buffer.concat(chunks)));
      } catch (error) {
        reject(error);
      }
    };
    socket.on('connect', () => socket.write(request));
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (isWhole(Buffer.concat(chunks))) finish();
    });
    socket.on('end', finish);
    socket.on('error', (error) => {
      clearTimeout(deadline);
      if (chunks.length > 0) finish();
      else reject(error);
    });
  });
}

function isWhole(raw: Buffer): boolean {
  const end = raw.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const head = raw.subarray(0, end).toString('latin1');
  if (/^HTTP\/1\.1 1\d\d/.test(head)) return false;
  const length = /^content-length:\s*(\d+)/im.exec(head)?.[1];
  return length !== undefined && raw.length >= end + 4 + Number(length);
}

/** Splits an answer's bytes; interim 1xx answers are skipped. */
export function parseAnswer(raw: Buffer): RawAnswer {
  let rest = raw;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) throw new Error(`no HTTP answer: ${JSON.stringify(raw.toString('latin1').slice(0, 200))}`);
    const [first = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const line = /^HTTP\/1\.1 (\d{3}) ?(.*)$/.exec(first);
    if (line === null) throw new Error(`no status line: ${first}`);
    const body = rest.subarray(end + 4);
    if (Number(line[1]) < 200) {
      rest = body;
      continue;
    }
    const headers: Record<string, string> = {};
    for (const header of lines) {
      const colon = header.indexOf(':');
      const name = header.slice(0, colon).toLowerCase();
      const value = header.slice(colon + 1).trim();
      headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
    }
    return { status: Number(line[1]), reason: line[2] ?? '', headers, body, raw };
  }
}
