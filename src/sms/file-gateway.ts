import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileGatewayName } from '../vocabulary/messages.ts';
import type { Gateway, OutgoingMessage, SendOutcome } from './gateway.ts';

export interface FileGatewaySettings {
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

interface Waiting {
  readonly line: string;
  readonly settle: (outcome: SendOutcome) => void;
}

/**
 * Appends each message to a file, one line of JSON per message, for trials, and for programs that read messages from it. The file and its
 * folder are created with the first message, readable only by their owner, and the file may be moved away at any time. A message counts as
 * submitted when its line is on disk. Lines that are waiting at the same moment are written to disk together.
 */
export function createFileGateway({ path, clock }: FileGatewaySettings): Gateway {
  let waiting: Waiting[] = [];
  let running: Promise<void> | undefined;

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const outcome = await appendLines(path, batch.map(({ line }) => line).join(''));
      for (const { settle } of batch) settle(outcome);
    }
    running = undefined;
  }

  return {
    description: fileGatewayName(path),
    send: (message) =>
      new Promise((settle) => {
        waiting.push({ line: `${JSON.stringify(lineOf(message, clock()))}\n`, settle });
        running ??= drain();
      }),
    close: async () => running,
  };
}

async function appendLines(path: string, lines: string): Promise<SendOutcome> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const handle = await open(path, 'a+', 0o600);
    try {
      const { size } = await handle.stat();
      const whole = size === 0 || (await handle.read({ position: size - 1, length: 1 })).buffer[0] === NEW_LINE;
      try {
        // A process that was killed may have left an incomplete line.
        await handle.appendFile(whole ? lines : `\n${lines}`);
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

const NEW_LINE = 10;

const lineOf = (message: OutgoingMessage, now: number) => ({
  SMSID: message.id,
  to: message.mobile,
  text: message.text,
  encoding: message.encoding,
  flash: message.flash,
  header: message.header,
  dltTemplateId: message.dltTemplateId,
  principalEntityId: message.principalEntityId,
  writtenOn: now,
});
