import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';

/** Bytes that wait for a full disk or a slow reader. Further lines are dropped and counted, because logging must never stop the service. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024;
/** A separate write for each line would cost a call as much as its XML, so lines are written together: this many bytes, or after this pause. */
const BATCH_BYTES = 4096;
const BATCH_PAUSE_MS = 10;
/** How long the last lines may take when the process ends. */
const LAST_LINES_MS = 500;

export interface LogFile {
  /** Accepts a line; never throws, never waits. */
  write(line: string): void;
  /** Resolves when everything is written, or after half a second. What a full pipe has not accepted by then is lost. */
  close(): Promise<void>;
  /** Writes nothing more. */
  destroy(): void;
  /** Number of lines dropped since the start. */
  readonly dropped: number;
}

/**
 * Writes lines to a file descriptor in the background. What the disk or the reader does not accept now is written with later lines; once
 * too much waits, lines are dropped, and a line says how many as soon as it can be written. A pipe must not be blocking: a write that
 * blocks cannot be interrupted, and would keep the process from ending.
 */
export function openLogFile(fileDescriptor: number, mostWaitingBytes = MOST_WAITING_BYTES): LogFile {
  const file = pino.destination({
    dest: fileDescriptor,
    sync: false,
    minLength: BATCH_BYTES,
    maxLength: mostWaitingBytes,
  });
  let dropped = 0;
  let reported = 0;
  let timer: NodeJS.Timeout | undefined;
  const write = (line: string) => {
    file.write(line);
    if (timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      file.flush();
    }, BATCH_PAUSE_MS).unref();
  };
  file.on('drop', () => dropped++);
  file.on('drain', () => {
    if (dropped === reported) return;
    const count = dropped - reported;
    reported = dropped;
    write(`${JSON.stringify({ level: 40, msg: 'log lines dropped', count })}\n`);
  });
  // The disk is full, for example. The lines keep waiting.
  file.on('error', () => {});
  return {
    write,
    close: async () => {
      const written = new Promise<void>((resolve) => file.flush(() => resolve()));
      await Promise.race([written, sleep(LAST_LINES_MS)]);
    },
    destroy: () => file.destroy(),
    get dropped() {
      return dropped;
    },
  };
}
