import { connect } from 'node:net';

/** The bytes received over a separate connection, and how it ended. */
export interface AnswerBytes {
  readonly bytes: Buffer;
  /** `whole`: complete by its Content-Length or its last chunk; `silent`: nothing more was received. */
  readonly end: 'whole' | 'closed' | 'reset' | 'silent';
}

/** Sends bytes unchanged and reads the first answer, whatever it is; `limit` is the longest silence, in milliseconds. */
export function answerBytes(port: number, request: Buffer, limit: number): Promise<AnswerBytes> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let bytes: Buffer = Buffer.alloc(0);
    const finish = (end: AnswerBytes['end']) => {
      resolve({ bytes, end });
      socket.destroy();
    };
    socket.setTimeout(limit, () => finish('silent'));
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      if (isWhole(bytes, request)) finish('whole');
    });
    socket.on('end', () => finish('closed'));
    socket.on('error', () => finish('reset'));
    socket.write(request);
  });
}

function isWhole(bytes: Buffer, request: Buffer): boolean {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const head = bytes.toString('latin1', 0, end);
  const body = bytes.subarray(end + 4);
  if (/^HTTP\/1\.\d 1\d\d/.test(head)) return isWhole(body, request);
  if (request.toString('latin1', 0, 5) === 'HEAD ') return true;
  if (/^transfer-encoding:\s*chunked/im.test(head)) return body.toString('latin1').endsWith('0\r\n\r\n');
  const length = /^content-length:\s*(\d+)/im.exec(head)?.[1];
  return length !== undefined && body.length >= Number(length);
}

/** Whether two ports answer a request alike, except for the line `Date`. If only one of them answered in time, both are asked again. */
export async function answersAlike(
  one: number,
  other: number,
  request: Buffer,
  limits: readonly number[],
): Promise<boolean> {
  for (const limit of limits) {
    const answers = [await answerBytes(one, request, limit), await answerBytes(other, request, limit)] as const;
    const [first, second] = answers.map(withoutDate);
    if (first === second) return true;
    if (answers.every(({ end }) => end !== 'silent')) return false;
  }
  return false;
}

/** The same bytes, without the second in which they were made. */
export const withoutDate = ({ bytes, end }: AnswerBytes): string =>
  `${end} ${bytes.toString('latin1').replace(/^Date: .*\r\n/im, '')}`;
