import { mkdir, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileFlaw } from '../../store/file-flaw.ts';
import { SetUpError } from '../../vocabulary/errors.ts';
import { fileGatewayName } from '../../vocabulary/messages.ts';
import {
  type ChosenGateway,
  type Gateway,
  type GatewayDependencies,
  NOT_HELD,
  type OutgoingMessage,
  type SendFate,
} from './gateway.ts';

/** The gateway to a message file. Throws a SetUpError unless the file can be written, or can be created with its folders. */
export function chooseFileGateway(path: string): ChosenGateway {
  const flaw = fileFlaw(resolve(path));
  if (flaw !== undefined) throw new SetUpError(`SMS_GATEWAY=file:${path}: ${flaw}.`);
  return { description: fileGatewayName(path), open: (dependencies) => createFileGateway(path, dependencies) };
}

/**
 * Appends each message to a file, one line of JSON per message, for trials, and for programs that read messages from it. The file and its
 * folder are created with the first message, readable only by their owner, and the file may be moved away at any time. A message counts as
 * submitted when its line is on disk. One that could not be written is tried again, so a failing disk may hold a line twice.
 */
export function createFileGateway(
  path: string,
  { clock, maySubmit }: Pick<GatewayDependencies, 'clock' | 'maySubmit'>,
): Gateway {
  let last: Promise<unknown> = Promise.resolve();
  return {
    send: (message) => {
      const line = `${JSON.stringify(recordOf(message, clock()))}\n`;
      const written = last.then(() => appendLine(path, line, maySubmit));
      last = written;
      return written;
    },
    close: async () => void (await last),
  };
}

async function appendLine(path: string, line: string, maySubmit: () => boolean): Promise<SendFate> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(path, 'a+', 0o600);
    try {
      const { size } = await file.stat();
      const isWhole = size === 0 || (await file.read({ position: size - 1, length: 1 })).buffer[0] === LINE_FEED;
      if (!maySubmit()) return NOT_HELD;
      // A process that was killed, or a full disk, may have left an incomplete line.
      await file.appendFile(isWhole ? line : `\n${line}`);
      await file.datasync();
    } finally {
      await file.close();
    }
    return { kind: 'submitted', reference: undefined };
  } catch (error) {
    const { code } = error as { code?: unknown };
    return { kind: 'unavailable', code: typeof code === 'string' ? code : 'unknown' };
  }
}

const LINE_FEED = 10;

const recordOf = ({ id, mobile, expiresOn, ...message }: OutgoingMessage, now: number) => ({
  SMSID: id,
  to: mobile,
  ...message,
  writtenOn: now,
});
