import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileFlaw } from '../store/file-flaw.ts';
import { SetUpError } from '../vocabulary/errors.ts';
import { fileGatewayName } from '../vocabulary/messages.ts';
import type { ChosenGateway, Gateway, GatewayDependencies, OutgoingMessage, SendOutcome } from './gateway.ts';

/** The gateway to a message file. Throws a SetUpError unless the file can be written, or can be created with its folders. */
export function chooseFileGateway(path: string): ChosenGateway {
  const flaw = fileFlaw(resolve(path));
  if (flaw !== undefined) throw new SetUpError(`SMS_GATEWAY=file:${path}: ${flaw}.`);
  return { description: fileGatewayName(path), open: (dependencies) => createFileGateway(path, dependencies) };
}

/**
 * Appends each message to a file, one line of JSON per message, for trials, and for programs that read messages from it. The file and its
 * folder are created with the first message, readable only by their owner, and the file may be moved away at any time. A message counts as
 * submitted when its line is on disk. Lines that are waiting at the same moment are written to disk together.
 */
export function createFileGateway(path: string, { clock }: Pick<GatewayDependencies, 'clock'>): Gateway {
  let lines: string[] = [];
  let next: Promise<SendOutcome> | undefined;
  let writing: Promise<unknown> = Promise.resolve();

  async function writeLines(): Promise<SendOutcome> {
    await writing;
    const batch = lines.join('');
    lines = [];
    next = undefined;
    return appendLines(path, batch);
  }

  return {
    send: (message) => {
      lines.push(`${JSON.stringify(recordOf(message, clock()))}\n`);
      next ??= writeLines();
      writing = next;
      return next;
    },
    close: async () => void (await writing),
  };
}

async function appendLines(path: string, lines: string): Promise<SendOutcome> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const handle = await open(path, 'a+', 0o600);
    try {
      const { size } = await handle.stat();
      const isWhole = size === 0 || (await handle.read({ position: size - 1, length: 1 })).buffer[0] === LINE_FEED;
      try {
        // A process that was killed may have left an incomplete line.
        await handle.appendFile(isWhole ? lines : `\n${lines}`);
        await handle.datasync();
      } catch (error) {
        // Otherwise, lines that may or may not have been written could appear twice.
        await handle.truncate(size).catch(() => truncateByName(path, handle, size));
        throw error;
      }
    } finally {
      await handle.close();
    }
    return { kind: 'submitted', reference: undefined };
  } catch (error) {
    const { code } = error as { code?: unknown };
    return { kind: 'unavailable', code: typeof code === 'string' ? code : 'unknown' };
  }
}

/**
 * For Windows, which refuses to truncate a file that was opened for appending. A file that was moved away in the meantime stays as it is.
 */
async function truncateByName(path: string, appending: FileHandle, size: number): Promise<void> {
  const writing = await open(path, 'r+');
  try {
    const wanted = await appending.stat({ bigint: true });
    const found = await writing.stat({ bigint: true });
    if (found.dev === wanted.dev && found.ino === wanted.ino) await writing.truncate(size);
  } finally {
    await writing.close();
  }
}

const LINE_FEED = 10;

const recordOf = ({ id, mobile, expiresOn, ...message }: OutgoingMessage, now: number) => ({
  SMSID: id,
  to: mobile,
  ...message,
  writtenOn: now,
});
